"""Finding and calling the command."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import warnings
from dataclasses import replace
from typing import Iterator, List, Mapping, Sequence, Tuple

from . import _arguments
from ._errors import InvalidInput, Message, Refused, SaltplanError, SaltplanWarning

NAME = "saltplan" + (sysconfig.get_config_var("EXE") or "")


def find_saltplan_bin() -> str:
    """The path of the command: ``SALTPLAN_BIN``, or the command of this installation, or the first one in ``PATH``."""
    chosen = os.environ.get("SALTPLAN_BIN")
    if chosen:
        return chosen
    found = next((path for path in _places() if os.path.isfile(path)), None) or shutil.which(NAME)
    if found is None:
        raise FileNotFoundError(f"the command {NAME} was not found; reinstall the saltplan wheel, or set SALTPLAN_BIN")
    return found


def _places() -> Iterator[str]:
    yield os.path.join(sysconfig.get_path("scripts"), NAME)
    user = "nt_user" if os.name == "nt" else "posix_user"
    if sys.platform == "darwin" and sys._framework:
        user = "osx_framework_user"
    yield os.path.join(sysconfig.get_path("scripts", scheme=user), NAME)
    # `pip install --target DIR` puts commands below DIR/bin.
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(above, "bin", NAME)


def call(
    arguments: Sequence[str], stdin: str = "", findings: bool = False, names: Mapping[str, str] = {}
) -> Tuple[str, List[Message]]:
    """The output of the command and its messages; warnings become Python warnings.

    With ``findings``, the exit code 1 is a result and not a refusal. ``names`` replaces paths of files in messages.
    """
    command = [find_saltplan_bin(), "--message-format", "json", *arguments]
    done = subprocess.run(command, input=stdin.encode(), capture_output=True, check=False)
    messages = [_arguments.in_python(message) for message in _messages(done.stderr.decode(errors="replace"))]
    for file, name in names.items():
        messages = [replace(message, message=message.message.replace(file, name)) for message in messages]
    if done.returncode != 0 and not (findings and done.returncode == 1):
        kind = {1: Refused, 2: InvalidInput}.get(done.returncode, SaltplanError)
        raise kind(sorted(messages, key=lambda message: message.severity != "error"))
    for message in messages:
        if message.severity == "warning":
            warnings.warn(SaltplanWarning(message), stacklevel=_depth())
    return done.stdout.decode(), messages


def _messages(stderr: str) -> Iterator[Message]:
    for line in filter(None, stderr.splitlines()):
        try:
            yield Message.of_json(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError):
            # A message of the argument parser or of the operating system is plain text.
            if not line.startswith(("Usage: ", "For more information")):
                yield Message("error", line.replace("error: ", "", 1), None, None, None, ())


def _depth() -> int:
    """The stack level of the first caller outside this package: a warning shows its line."""
    here = os.path.dirname(os.path.abspath(__file__))
    depth, frame = 0, inspect.currentframe()
    while frame is not None and os.path.abspath(frame.f_code.co_filename).startswith(here):
        depth, frame = depth + 1, frame.f_back
    return depth
