"""Messages of the command name its options; those of the functions name their arguments."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Match, Optional

from ._errors import Message

#: Arguments that are True or False.
_SWITCHES = ("allow_empty", "allow_full_scan", "allow_partial", "if_not_exists", "into", "logical", "select")
#: Arguments with one value.
_VALUES = (
    "by",
    "engine",
    "fail_on",
    "from_keys",
    "from_splits",
    "max_branches",
    "max_bytes",
    "max_jobs",
    "max_scans",
    "max_widening",
    "now",
    "only",
    "rows",
    "shape",
    "templates",
)
#: Arguments that map names to values, and the option for one of them.
_MAPPINGS = {"param": "params", "runtime": "runtime", "hivevar": "hivevar", "hiveconf": "hiveconf"}
#: Files with values, which a program passes as values.
_FILES = ("param_list", "params_file")

_OPTION = re.compile(r"`--([a-z][a-z-]*)(?:[ =]([^`]+))?`")
#: A command that is a function, with options.
_COMMAND = re.compile(r"`(?:saltplan )?(check|ddl|explain|load|plan|rewrite|scan|splits|verify) (--[^`]+)`")
#: As the argument parser writes an option.
_OF_PARSER = re.compile(r"'--([a-z][a-z-]*)(?: <[^>]*>)?'")
#: The option that a message is about.
_ABOUT = re.compile(r"^--([a-z][a-z-]*)(?: ([\w.]+))?: ")


def in_python(message: Message) -> Message:
    """The message with arguments of functions in place of options."""
    help = None if message.help is None else translated(message.help)
    text = _ABOUT.sub(_about, translated(message.message))
    return replace(message, message=text, help=help)


def translated(text: str) -> str:
    """A text with arguments of functions in place of options."""
    return _OF_PARSER.sub(_option, _OPTION.sub(_option, _COMMAND.sub(_call, text)))


def _call(found: Match[str]) -> str:
    """``plan --select`` as ``plan(select=True)``."""
    options = (f"`--{option.strip()}`" for option in found[2].split("--")[1:])
    arguments = (_OPTION.sub(_option, option).strip("`") for option in options)
    return f"`{found[1]}({', '.join(arguments)})`"


def _about(found: Match[str]) -> str:
    name, key = found[1].replace("-", "_"), found[2]
    name = _MAPPINGS.get(name, name)
    return f"{name}[{key!r}]: " if key else f"{name}: "


def _option(found: Match[str]) -> str:
    name = found[1].replace("-", "_")
    value: Optional[str] = found[2] if found.re is _OPTION else None
    if name == "no_header":
        return "`header=False`"
    if name == "assert":
        return "`asserts=True`"
    if name in _SWITCHES:
        return f"`{name}=True`"
    if name in _FILES:
        return "`params`"
    if name in _MAPPINGS and value:
        key, _, one = value.partition("=")
        # A word in capitals stands for any value.
        shown = one if one.isupper() else f'"{one}"'
        return f'`{_MAPPINGS[name]}={{"{key}": {shown}}}`'
    if name in _MAPPINGS:
        return f"`{_MAPPINGS[name]}`"
    if name == "only" and value:
        return f'`only=["{value}"]`'
    if name in _VALUES:
        return f"`{name}={_literal(value)}`" if value else f"`{name}`"
    return found[0]


def _literal(value: str) -> str:
    return value if value.isdigit() or value.isupper() else f'"{value}"'
