"""The sources are formatted as .clang-format says. Skipped where the version of clang-format that they follow is absent."""
import shutil
import subprocess
import sys

from command import ROOT, SKIPPED

if not shutil.which("clang-format-14"):
    print("skipped: needs clang-format-14")
    sys.exit(SKIPPED)
checked = subprocess.run([ROOT / "tools" / "scripts" / "format", "--check"], capture_output=True, text=True)
if checked.returncode:
    print(checked.stderr[-3000:])
    print("run tools/scripts/format")
sys.exit(1 if checked.returncode else 0)
