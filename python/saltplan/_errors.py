"""Messages of the command as values and exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple

from ._types import Severity


@dataclass(frozen=True)
class Label:
    """A marked place. Lines and columns are counted from 1; the end is the first character after the place."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Message:
    """An error, a warning or a note."""

    severity: Severity
    message: str
    #: A stable code for programs, if the message has one.
    code: Optional[str]
    #: What to do about it.
    help: Optional[str]
    #: What the labels refer to: the name of the schema file, or a word such as ``predicate``.
    file: Optional[str]
    labels: Tuple[Label, ...]

    @classmethod
    def of_json(cls, json: Mapping[str, Any], severity: Severity = "warning") -> "Message":
        return cls(
            severity=json.get("severity", severity),
            message=json["message"],
            code=json.get("code"),
            help=json.get("help"),
            file=json.get("file"),
            labels=tuple(Label(**label) for label in json.get("labels", ())),
        )

    def __str__(self) -> str:
        place = ""
        if self.file is not None:
            at = self.labels[0] if self.labels else None
            place = f"{self.file}:{at.line}:{at.column}: " if at else f"{self.file}: "
        remedy = f" ({self.help})" if self.help else ""
        return f"{place}{self.message}{remedy}"


class SaltplanWarning(UserWarning):
    """A warning of the command; ``warnings.filterwarnings`` turns it off or into an error."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class SaltplanError(Exception):
    """The command failed. ``messages`` has everything that it reported, errors first."""

    def __init__(self, messages: Sequence[Message]) -> None:
        self.messages: Tuple[Message, ...] = tuple(messages)
        super().__init__("\n".join(str(message) for message in self.messages) or "saltplan failed without a message")

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.messages,)

    @property
    def code(self) -> Optional[str]:
        """The code of the first message that has one."""
        return next((message.code for message in self.messages if message.code), None)

    @property
    def help(self) -> Optional[str]:
        """The remedy of the first message that has one."""
        return next((message.help for message in self.messages if message.help), None)

    @property
    def labels(self) -> Tuple[Label, ...]:
        """The marked places of the first message that has some."""
        return next((message.labels for message in self.messages if message.labels), ())


class Refused(SaltplanError):
    """The input is valid, but the command refuses it without an explicit option: a full scan, nothing to read, a
    partition that would lose rows. Exit code 1."""


class InvalidInput(SaltplanError):
    """The schema, the predicate or an argument is wrong. Exit code 2."""
