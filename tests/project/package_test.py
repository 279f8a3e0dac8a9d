"""The library as others use it: installed into a prefix that is then moved, it is found by find_package and by
pkg-config, as shared and as static library, and defines the functions of its headers and no other name. The programs that
are built here are examples/one_op.c with a function of its own by the name of an internal one."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from command import ARCL, ROOT

BUILD = pathlib.Path(ARCL).parent
PRINTS = "lane 0 is 3x2: 4 1 / 5 2 / 6 3\nlane 1 is 1x3: 9 8 7\n"

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES C)
find_package(arcl %s REQUIRED %s)
add_executable(mine main.c)
target_link_libraries(mine PRIVATE %s)
"""


def cached(name):
    """A variable of the build that is tested."""
    return re.search(rf"(?m)^{name}(?::\w+)?=(.*)$", (BUILD / "CMakeCache.txt").read_text()).group(1)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.run_command("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = (cls.folder / "first").rename(cls.folder / "moved")
        [cls.lib] = {path.parent for path in cls.prefix.rglob("libarcl.a")}
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": str(cls.lib / "pkgconfig")}
        cls.version = re.search(r'#define ARCL_VERSION "(.*)"', (ROOT / "lib" / "arcl.h").read_text()).group(1)

    @staticmethod
    def run_command(*command, **options):
        """The output of a command that must not fail."""
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=240, **options)
        if done.returncode:
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
        return done.stdout

    def project(self, name, **files):
        """A folder with the program and further files."""
        top = self.folder / name
        top.mkdir()
        own = "int threads_run(void);\nint threads_run(void) { return 7; }\n"
        (top / "main.c").write_text((ROOT / "examples" / "one_op.c").read_text() + own)
        for file, text in files.items():
            (top / file.replace("_txt", ".txt")).write_text(text)
        return top

    def check(self, program, shared):
        path = {"LD_LIBRARY_PATH": str(self.lib)} if shared else {}
        self.assertEqual(self.run_command(program, env={**os.environ, **path}), PRINTS)
        needs = "libarcl.so" in self.run_command("readelf", "-d", program)
        self.assertEqual(needs, shared)

    # ---- names ----

    def declared(self):
        headers = (self.prefix / "include").glob("arcl*.h")
        return {name for header in headers for name in re.findall(r"(?m)^ARCL_API [^;]*?\b(arcl_\w+)\(", header.read_text())}

    def defined(self, *what):
        return {line.split()[-1] for line in self.run_command("nm", "--defined-only", *what).splitlines() if " " in line}

    def test_shared_library_exports_the_public_functions_only(self):
        self.assertIn("arcl_run", self.declared())
        self.assertEqual(self.defined("-D", self.lib / "libarcl.so"), self.declared())

    def test_static_library_defines_the_public_functions_only(self):
        self.assertEqual(self.defined("-g", self.lib / "libarcl.a"), self.declared())
        self.assertTrue("threads_run" in self.defined(self.lib / "libarcl.a"), "the programs below define no internal name")

    def test_soname_changes_with_the_interface(self):
        major, minor, _ = self.version.split(".")
        soname = f"libarcl.so.{major}" if major != "0" else f"libarcl.so.{major}.{minor}"
        self.assertIn(f"[{soname}]", self.run_command("readelf", "-d", self.lib / "libarcl.so"))
        self.assertTrue((self.lib / soname).exists())

    # ---- CMake ----

    def build_with_cmake(self, name, target, components=""):
        top = self.project(name, CMakeLists_txt=PROJECT % (self.version, components, target))
        self.run_command("cmake", "-S", top, "-B", top / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                         f"-DCMAKE_C_FLAGS={cached('CMAKE_C_FLAGS')}", f"-DCMAKE_C_COMPILER={cached('CMAKE_C_COMPILER')}")
        self.run_command("cmake", "--build", top / "build")
        return top / "build" / "mine"

    def test_find_package_shared(self):
        self.check(self.build_with_cmake("cmake-shared", "arcl::arcl"), True)

    def test_find_package_static(self):
        self.check(self.build_with_cmake("cmake-static", "arcl::static", "COMPONENTS static"), False)

    def test_find_package_refuses_another_version(self):
        top = self.project("version", CMakeLists_txt=PROJECT % ("99.0", "", "arcl::arcl"))
        done = subprocess.run(["cmake", "-S", top, "-B", top / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                              capture_output=True, text=True, timeout=240)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("compatible", done.stderr)

    # ---- pkg-config ----

    def pkg_config(self, *what):
        return self.run_command("pkg-config", *what, "arcl", env=self.environment).split()

    def compile(self, top, *libraries):
        command = [cached("CMAKE_C_COMPILER"), *cached("CMAKE_C_FLAGS").split(), "main.c", *self.pkg_config("--cflags")]
        self.run_command(*command, *libraries, "-o", "mine", cwd=top)
        return top / "mine"

    def test_pkg_config_shared(self):
        self.assertEqual(self.pkg_config("--modversion"), [self.version])
        top = self.project("pkg-config-shared")
        self.check(self.compile(top, *self.pkg_config("--libs")), True)

    def test_pkg_config_static(self):
        top = self.project("pkg-config-static")
        libraries = [word.replace("-larcl", "-l:libarcl.a") for word in self.pkg_config("--static", "--libs")]
        self.check(self.compile(top, *libraries), False)

    # ---- the command ----

    def test_the_installed_command_needs_nothing_of_the_build(self):
        self.assertEqual(self.run_command(self.prefix / "bin" / "arcl", "--version"), f"arcl {self.version}\n")
        self.assertNotIn("libarcl", self.run_command("readelf", "-d", self.prefix / "bin" / "arcl"))

    def test_manual_and_completion_are_installed(self):
        for option, path in ((["--man"], "man/man1/arcl.1"), (["--completion"], "bash-completion/completions/arcl"),
                             (["--completion", "zsh"], "zsh/site-functions/_arcl"),
                             (["--completion", "fish"], "fish/vendor_completions.d/arcl.fish")):
            self.assertEqual((self.prefix / "share" / path).read_text(), self.run_command(ARCL, "help", *option))

    # ---- the pages ----

    def test_links_of_the_installed_pages_lead_somewhere(self):
        pages = list((self.prefix / "share" / "doc" / "arcl").rglob("*.md"))
        self.assertGreater(len(pages), len(list((ROOT / "docs").glob("*.md"))))
        for page in pages:
            for link, picture in re.findall(r'\]\(([^)#:\s]+)(?:#[^)]*)?\)|<img src="([^"]+)"', page.read_text()):
                with self.subTest(page=page.name, link=link or picture):
                    self.assertTrue((page.parent / (link or picture)).exists())


if __name__ == "__main__":
    unittest.main()
