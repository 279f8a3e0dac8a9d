"""The page of `arcl score --html`: it is well-formed, needs nothing besides itself, has every program, draws what went
wrong within bounds, says what ran where, and text from files stays text."""
import html.parser
import re

from command import EXAMPLE, CommandTest, main

ROT90 = "def solve_{0}(I):\n    x1 = rot90(I)\n    return x1\n\n"
MIRROR = "def solve_{0}(I):\n    return vmirror(I)\n\n"
FAILING = "def solve_{0}(I):\n    x1 = ofcolor(I, NINE)\n    return fill(I, ONE, initset(first(x1)))\n\n"
BAD = "def solve_{0}(I):\n    x1 = frobnicate(I)\n    return x1\n\n"
VOID = {"meta", "path", "input"}


class Page(html.parser.HTMLParser):
    """The elements of a page; fails if one is not closed where it should be."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.rows = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        assert tag in VOID

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> in {self.open}"
        self.open.pop()

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


class Html(CommandTest):
    def score(self, *arguments, status):
        done = self.arcl("score", "p.py", "--tasks", "tasks.json", "--html", "out.html", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        self.text = (self.folder / "out.html").read_text()
        return Page(self.text)

    def test_everything(self):
        tasks = {name: {"train": [EXAMPLE], "test": [EXAMPLE]} for name in ("aa", "bb", "cc", "dd")}
        self.write("tasks.json", tasks)
        self.write("p.py", ROT90.format("aa") + MIRROR.format("bb") + FAILING.format("cc") + BAD.format("dd"))
        page = self.score("--device", "host", status=2)
        rows = {row[0]: row for row in page.rows}
        self.assertEqual(rows["solve_aa"][1:], ["aa", "solved", "2/2", "0", "100.0 %"])
        self.assertEqual(rows["solve_bb"][1:], ["bb", "wrong", "0/2", "0", "50.0 %"])
        self.assertEqual(rows["solve_cc"][1:], ["cc", "fails", "0/2", "2", "0.0 %"])
        self.assertEqual(rows["solve_dd"][1:4], ["dd", "rejected", "0/2"])
        self.assertIn("'frobnicate' is no op", self.text)
        self.assertIn("train[0]: EMPTY, an element of an empty container", self.text)
        self.assertIn("train[0]: 2 cells differ", self.text)
        # bb: four panels for each of two examples; cc: input and expected; aa, which is right, the same
        self.assertEqual(page.tags.count("svg"), 2 * 4 + 2 * 2 + 2 * 2)
        self.assertEqual(rows["rot90"][1:5], ["host", "1", "2", "0"])
        self.assertLess(self.text.index("What went wrong"), self.text.index("What is solved"))
        self.assertRegex(self.text, r'(?s)What is solved.*solve_aa <span class="dim">on aa, 2 of 2 right')

    def test_what_it_is_about(self):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": []}})
        self.write("p.py", MIRROR.format("aa"))
        self.score("--device", "host", status=1)
        self.assertIn("<title>p.py on tasks.json: arcl score</title>", self.text)
        self.assertRegex(self.text, r"<dt>date</dt><dd>20\d\d-\d\d-\d\d \d\d:\d\d ")
        self.assertIn("<dt>device</dt><dd>host, ", self.text)
        self.write("tasks/aa.json", {"train": [EXAMPLE], "test": []})
        self.write("tasks/bb.json", {"train": [EXAMPLE], "test": []})
        self.arcl("score", "p.py", "--tasks", "tasks", "--html", "out.html", "--all-pairs")
        self.assertIn("<dt>tasks</dt><dd>files in tasks</dd>", (self.folder / "out.html").read_text())

    def test_drawing_is_not_reported(self):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": []}})
        self.write("p.py", MIRROR.format("aa"))
        done = self.arcl("score", "p.py", "--tasks", "tasks.json", "--html", "out.html", "--report", "--device", "host")
        self.assertRegex(done.stderr, r"(?m)^vmirror_grid +host +host +1 ")

    def test_needs_nothing_besides_itself(self):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": []}})
        self.write("p.py", MIRROR.format("aa"))
        page = self.score(status=1)
        for name, value in page.attributes:
            if name in ("src", "href"):
                self.assertTrue(value.startswith("#"), value)
        self.assertNotRegex(self.text, r"https?:|@import|url\(|fetch\(|XMLHttp")
        ids = {value for name, value in page.attributes if name == "id"}
        self.assertEqual({value[1:] for name, value in page.attributes if name == "href"} - ids, set())

    def test_text_stays_text(self):
        name = '<script>alert("x")</script>&amp;'
        self.write("tasks.json", {name: {"train": [EXAMPLE], "test": []}})
        self.write("p.py", MIRROR.format("aa"))
        page = self.score("--all-pairs", status=1)
        self.assertEqual([row[1] for row in page.rows if row[0] == "solve_aa"], [name])
        self.assertEqual(page.tags.count("script"), 1)

    def test_bounds(self):
        names = [f"t{i:04}" for i in range(50)]
        self.write("tasks.json", {name: {"train": [EXAMPLE] * 6, "test": []} for name in names})
        self.write("p.py", "".join(MIRROR.format(name) for name in names))
        page = self.score("--all-pairs", status=1)
        self.assertEqual(len([row for row in page.rows if row[0].startswith("solve_")]), 2000)
        self.assertIn("500 more rows are left out here", self.text)
        self.assertIn("The first 40 are drawn; 2460 more are left out.", self.text)
        self.assertEqual(page.tags.count("svg"), 40 * 4 * 4)
        self.assertEqual(self.text.count("2 more examples of this task are not right"), 40)
        self.assertEqual(len(re.findall('id="case', self.text)), 40)

    def test_of_all_pairs_the_near_ones_come_first(self):
        far, near = {"input": [[1, 2]], "output": [[3, 4]]}, {"input": [[1, 2]], "output": [[2, 4]]}
        self.write("tasks.json", {"aa": {"train": [far], "test": []}, "bb": {"train": [near], "test": []},
                                  "cc": {"train": [{"input": [[1, 2]], "output": [[2, 1]]}], "test": []}})
        self.write("p.py", MIRROR.format("aa"))
        page = self.score("--all-pairs", status=1)
        self.assertEqual([row[1:3] for row in page.rows if row[0] == "solve_aa"],
                         [["cc", "solved"], ["bb", "wrong"], ["aa", "wrong"]])
        self.assertLess(self.text.index("on bb"), self.text.index("on aa"))
        self.assertIn("What came near", self.text)

    def test_all_right(self):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": []}})
        self.write("p.py", ROT90.format("aa"))
        page = self.score(status=0)
        self.assertNotIn("What went wrong", self.text)
        self.assertEqual(page.tags.count("svg"), 2, "what is solved is drawn as well")

    def test_a_file_that_cannot_be_written(self):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": []}})
        self.write("p.py", ROT90.format("aa"))
        done = self.refused("score", "p.py", "--tasks", "tasks.json", "--html", "absent/out.html", says=["absent/out.html"])
        self.assertEqual(done.stdout, "", "it should be found out before anything is run")


if __name__ == "__main__":
    main()
