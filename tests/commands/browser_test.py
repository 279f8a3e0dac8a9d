"""The pages of `arcl score --html` and `arcl show --html` in a real browser: sorting, finding, links, keys, light and dark,
400 pixels, and not a word on the console."""
import sys
import unittest

from browser import CHROMIUM, Browser
from command import EXAMPLE, SKIPPED, CommandTest

ROT90 = "def solve_{0}(I):\n    return rot90(I)\n\n"
MIRROR = "def solve_{0}(I):\n    return vmirror(I)\n\n"
FAILING = "def solve_{0}(I):\n    return fill(I, ONE, initset(first(ofcolor(I, NINE))))\n\n"
BAD = "def solve_{0}(I):\n    return frobnicate(I)\n\n"
WIDE = {"input": [[i % 10 for i in range(30)]] * 30, "output": [[0] * 30] * 30}
VISIBLE = "[...document.querySelectorAll('{}')].filter(e => e.checkVisibility()).map(e => e.{})"


class Pages(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def score(self, width=1000, dark=False):
        self.write("tasks.json", {"aa": {"train": [EXAMPLE], "test": [EXAMPLE]}, "bb": {"train": [EXAMPLE], "test": []},
                                  "cc": {"train": [EXAMPLE], "test": []}, "dd": {"train": [EXAMPLE], "test": []},
                                  "ee": {"train": [WIDE] * 2, "test": []}})
        self.write("p.py", ROT90.format("aa") + MIRROR.format("bb") + FAILING.format("cc") + BAD.format("dd") + ROT90.format("ee"))
        self.arcl("score", "p.py", "--tasks", "tasks.json", "--html", "out.html", "--device", "host")
        self.browser.open(self.folder / "out.html", width, dark)

    def column(self, number):
        return self.browser.evaluate(VISIBLE.format("table.programs tbody tr", f"cells[{number}].textContent"))

    def cases(self):
        return self.browser.evaluate(VISIBLE.format(".case", "dataset.find"))

    def at(self):
        return self.browser.evaluate("decodeURIComponent(location.hash)")

    def test_sorting(self):
        self.score()
        self.browser.click("table.programs th:nth-child(1) button")
        up = self.column(0)
        self.assertEqual(up, [f"solve_{name}" for name in ("aa", "bb", "cc", "dd", "ee")])
        self.browser.click("table.programs th:nth-child(1) button")
        self.assertEqual(self.column(0), up[::-1])
        self.browser.click("table.programs th:nth-child(6) button")
        self.assertEqual(self.column(5)[-1], "100.0 %", "as numbers, not as text")

    def test_finding(self):
        self.score()
        self.assertEqual(len(self.column(0)), 5)
        self.browser.press("/")
        for key in "_bb":
            self.browser.press(key)
        self.assertEqual(self.column(0), ["solve_bb"])
        self.assertEqual(len(self.cases()), 1)
        self.assertEqual(self.browser.evaluate("document.querySelector('.filter output').textContent"), "1 of 5")
        self.browser.press("Escape")
        self.assertEqual(len(self.column(0)), 5)
        self.browser.click(".filter button[data-value=solved]")
        self.assertEqual(self.column(2), ["solved"])
        self.assertEqual(self.cases(), ["solve_aa aa"])
        self.assertEqual(self.browser.evaluate(VISIBLE.format("h2", "textContent"))[:2], ["Programs", "What is solved"])

    def test_links_lead_to_drawings_and_back(self):
        self.score()
        links = self.browser.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        self.assertEqual(len([link for link in links if link.startswith("#case")]), 5)
        missing = self.browser.evaluate(
            "[...document.querySelectorAll('a[href]')].filter(a => !document.querySelector(a.getAttribute('href'))).length")
        self.assertEqual(missing, 0)
        self.browser.click("table.programs tbody tr:last-child a")
        self.assertEqual(self.browser.evaluate("document.querySelector(':target').dataset.find"), self.column(0)[-1] + " "
                         + self.column(1)[-1])
        top = self.browser.evaluate("document.querySelector(':target').getBoundingClientRect().top")
        self.assertLess(abs(top), 900, "it is in view")

    def test_keys(self):
        self.score()
        cases = self.browser.evaluate("[...document.querySelectorAll('.case')].map(e => '#' + e.id)")
        for expected in (cases[0], cases[1], cases[2]):
            self.browser.press("j")
            self.assertEqual(self.at(), expected)
        self.browser.press("k")
        self.assertEqual(self.at(), cases[1])
        self.browser.evaluate("document.querySelector('.filter input').focus()")
        self.browser.press("Tab")
        self.assertEqual(self.browser.evaluate("document.activeElement.textContent.split(' ')[0]"), "all")
        self.browser.press("Tab")
        self.browser.press("Enter")
        self.assertEqual(self.browser.evaluate("document.activeElement.getAttribute('aria-pressed')"), "true")
        self.assertLess(len(self.column(0)), 5)

    def test_narrow(self):
        self.score(width=400)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
        widest = self.browser.evaluate("Math.max(...[...document.querySelectorAll('svg')].map(s => s.getBoundingClientRect().right))")
        self.assertLessEqual(widest, 400)

    def test_light_and_dark(self):
        grounds = []
        for dark in (False, True):
            self.score(dark=dark)
            look = self.browser.evaluate("(s => [s.backgroundColor, s.color])(getComputedStyle(document.body))")
            grounds.append([sum(map(int, colour.strip("rgb()").split(","))) for colour in look])
        self.assertGreater(grounds[0][0], grounds[0][1])
        self.assertLess(grounds[1][0], grounds[1][1])

    def test_what_the_page_is_about(self):
        self.score()
        self.assertEqual(self.browser.evaluate("document.title"), "p.py on tasks.json: arcl score")
        facts = self.browser.evaluate("document.querySelector('.facts').innerText")
        for text in ("p.py", "tasks.json", "host, ", "20"):
            self.assertIn(text, facts)

    def test_gallery(self):
        self.write("tasks.json", {name: {"train": [EXAMPLE, WIDE], "test": [EXAMPLE]} for name in ("a1", "b2", "b 3")})
        self.accepted("show", "tasks.json", "--html", "out.html")
        for width in (1000, 400):
            self.browser.open(self.folder / "out.html", width)
            self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)
        self.assertEqual(self.browser.evaluate("document.title"), "tasks.json: 3 ARC tasks")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('svg').length"), 3 * 6)
        self.browser.press("/")
        self.browser.press("b")
        self.assertEqual(sorted(self.cases()), ["b 3", "b2"])
        self.browser.press("Escape")
        self.browser.click("#b2 a")
        self.assertEqual(self.at(), "#b2")

    def test_a_run(self):
        self.write("task.json", {"train": [EXAMPLE], "test": [EXAMPLE]})
        self.write("p.py", ROT90.format("task"))
        self.accepted("show", "task.json", "p.py", "--html", "out.html", "--device", "host")
        self.browser.open(self.folder / "out.html")
        self.assertEqual(self.browser.evaluate("document.title"), "solve_task on task")
        self.assertEqual(len(self.browser.evaluate(VISIBLE.format(".good", "textContent"))), 2)


if __name__ == "__main__":
    if not CHROMIUM:
        print("no Chromium here")
        sys.exit(SKIPPED)
    unittest.main()
