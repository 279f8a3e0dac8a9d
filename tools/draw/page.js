// What a page can do with scripts: tables are sorted by the column whose heading is pressed (again: the other way
// round), rows and drawings are found by a part of their names and by their result, and keys go from drawing to
// drawing. Without scripts everything is there, as it was written.
"use strict";
document.documentElement.classList.add("js");

for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0];
    const column = head.cellIndex, down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent;
    const compare = (a, b) => a !== "" && b !== "" && !isNaN(a) && !isNaN(b) ? a - b : a.localeCompare(b);
    const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
    body.append(...rows);
  });
}

const filter = document.querySelector(".filter");
if (filter) {
  const input = filter.querySelector("input"), output = filter.querySelector("output");
  const buttons = [...filter.querySelectorAll("button")], things = [...document.querySelectorAll("[data-find]")];
  const counted = things.filter(thing => thing.matches("tr")).length ? "tr" : "*";
  let result = "";
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(word => word);
    let shown = 0, all = 0;
    for (const thing of things) {
      const found = words.every(word => thing.dataset.find.toLowerCase().includes(word));
      thing.hidden = !(found && (!result || thing.dataset.result === result));
      if (thing.matches(counted)) {
        all++;
        shown += !thing.hidden;
      }
    }
    for (const part of document.querySelectorAll(".part"))
      part.hidden = part.querySelector("[data-find]") && !part.querySelector("[data-find]:not([hidden])");
    output.textContent = shown === all ? "" : `${shown} of ${all}`;
  };
  filter.addEventListener("submit", event => event.preventDefault());
  input.addEventListener("input", apply);
  for (const button of buttons)
    button.addEventListener("click", () => {
      result = button.dataset.value;
      for (const other of buttons) other.setAttribute("aria-pressed", other === button);
      apply();
    });
  apply(); // what a browser remembers to have been typed
}

// The next or previous drawing that is not hidden, from the one that was gone to.
function step(by) {
  const cases = [...document.querySelectorAll(".case")].filter(one => !one.hidden && !one.closest("[hidden]"));
  const at = cases.findIndex(one => "#" + one.id === decodeURIComponent(location.hash));
  const next = cases[at < 0 ? (by > 0 ? 0 : cases.length - 1) : at + by];
  if (!next) return;
  location.hash = next.id;
  next.focus();
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const input = filter?.querySelector("input");
  if (event.target === input) {
    if (event.key !== "Escape") return;
    input.value = "";
    input.dispatchEvent(new Event("input"));
    input.blur();
  } else if (event.key === "/" && input) {
    event.preventDefault();
    input.focus();
  } else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
});
