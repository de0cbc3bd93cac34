"""``python -m saltplan`` is the command."""

import os
import subprocess
import sys

from ._command import find_saltplan_bin


def main() -> int:
    command = [find_saltplan_bin(), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
