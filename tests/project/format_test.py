"""The sources are formatted as .clang-format says. Skipped where the version of clang-format that they follow is absent."""
import os
import shutil
import subprocess
import sys

SKIPPED = 77  # as tests/CMakeLists.txt says

if not shutil.which("clang-format-14"):
    print("skipped: needs clang-format-14")
    sys.exit(SKIPPED)
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
checked = subprocess.run([os.path.join(root, "tools", "scripts", "format"), "--check"], capture_output=True, text=True)
if checked.returncode:
    print(checked.stderr[-3000:])
    print("run tools/scripts/format")
sys.exit(1 if checked.returncode else 0)
