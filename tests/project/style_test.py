"""What CONTRIBUTING.md says of files can be relied on: names, lengths of lines, opening comments, what comments name, and that
the library has no state of its own but what OpenCL has once for a process."""
import collections
import re
import subprocess
import unittest

from command import ROOT

FOLDERS = ("lib", "cl", "host", "tools", "tests", "bench", "examples", "docs", "python")
PATHS = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*")
               if path.is_file() and not {"__pycache__", "corpus"} & set(path.parts))  # inputs for fuzzing are anything
C = [path for path in PATHS if path.suffix in (".c", ".h", ".cl")]
OTHERS = [path for path in PATHS if path.suffix in (".py", ".cmake") or path.name == "CMakeLists.txt" or not path.suffix]
MOST = {**dict.fromkeys(C, 120), **dict.fromkeys(OTHERS + [ROOT / "CMakeLists.txt"], 140)}
ROOT_FILES = {".clang-format", ".editorconfig", ".gitignore", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md",
              "LICENSE", "README.md"}
ANYWHERE = {"CMakeLists.txt"}  # the only name that tools want more than once

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FILE = re.compile(r"(?<![\w<.*/])(?:[\w-]+/)*\w{2,}\.(?:c|h|cl|def)\b")
VARIABLE = re.compile(r"(?m)^ *static (?!inline)([^(){};=]*?\w(?:\[\w*\])*)(?: = .*|;.*| \{)$")
PROCESS_WIDE = {"lib/opencl/api.c", "lib/opencl/clblast.c", "lib/opencl/driver_cache.c"}


def name(path):
    return str(path.relative_to(ROOT))


def opens_well(path):
    """With a comment; a .c file that begins with its own header leaves it to that."""
    lines = [line for line in path.read_text().split("\n") if not re.match(r"#define \w+$", line)]
    return "/*" in lines[0] or lines[0].endswith(f'{path.stem}.h"')


def is_constant(declaration):
    """Whether what is declared cannot change: of a pointer, the pointer itself."""
    return "const" in declaration.rsplit("*", 1)[-1].split()


class Style(unittest.TestCase):
    def test_the_tree_is_read(self):
        self.assertGreater(len(C), 300)
        self.assertGreater(len(OTHERS), 50)

    def test_outputs_of_commands_are_not_committed(self):
        """The README's commands write into the root, where people try them."""
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
        if listed.returncode:
            self.skipTest("this is no checkout")
        self.assertEqual({path for path in listed.stdout.split("\n") if path and "/" not in path}, ROOT_FILES)

    def test_names_are_unique(self):
        names = collections.Counter(path.name for path in PATHS)
        self.assertEqual([n for n, count in names.items() if count > 1 and n not in ANYWHERE], [])

    def test_lines_are_short(self):
        long = [f"{name(path)}:{number}" for path, most in MOST.items()
                for number, line in enumerate(path.read_text().split("\n"), 1) if len(line) > most]
        self.assertEqual(long, [])

    def test_files_open_with_what_they_are(self):
        self.assertEqual([name(path) for path in C if not opens_well(path)], [])

    def test_comments_name_files_that_exist(self):
        known = ["/" + name(path) for path in PATHS] + ["/greatest.h"]  # which may be the system's
        for path in C:
            for found in FILE.findall(" ".join(COMMENT.findall(path.read_text()))):
                with self.subTest(file=name(path), names=found):
                    self.assertTrue(any(k.endswith("/" + found) for k in known))

    def test_the_python_package_uses_the_public_header_alone(self):
        extension = [path for path in C if path.parts[len(ROOT.parts)] == "python"]
        used = {name for path in extension for name in re.findall(r'#include "([^"]+)"', path.read_text())}
        self.assertGreater(len(extension), 10)
        self.assertEqual(used, {"arcl.h", "py_arcl.h", "py_layout.h"})

    def test_only_opencl_has_process_wide_state(self):
        changing = {name(path) for path in C if path.parts[len(ROOT.parts)] in ("lib", "host", "cl")
                    for declared in VARIABLE.findall(path.read_text()) if not is_constant(declared)}
        self.assertEqual(changing, PROCESS_WIDE)


if __name__ == "__main__":
    unittest.main()
