"""The rules of every door (tests/it/doors) for the functions of the module: each has a case, or a reason, for each rule."""

import inspect
import os
import re
import shutil
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple

import pytest
import saltplan

DOORS = Path(__file__).parents[2] / "tests" / "testdata" / "doors"
RULES = ["overwrites", "kinds", "links", "bounds", "results", "values"]
FUNCTIONS = sorted(name for name in saltplan.__all__ if inspect.isfunction(getattr(saltplan, name)))


class Block(NamedTuple):
    function: str
    reason: str
    #: Expressions, each with the name of the exception that it raises and a part of its text, or two empty texts.
    steps: List[Tuple[str, str, str]]


def blocks(rule: str) -> Iterator[Block]:
    text = (DOORS / f"{rule}.txt").read_text(encoding="utf-8")
    for heading, body in re.findall(r"^\[(python [^\n]*)\n((?:[^\[\n][^\n]*\n|\n)*)", text, re.M):
        doors, reason = heading.split("]", 1)
        for door in doors.split(", "):
            function = door.split(" ")[1]
            steps = []
            for line in body.splitlines():
                if line.startswith(">>> "):
                    steps.append((line[4:].replace("DOOR", function), "", ""))
                elif line and not line.startswith("#"):
                    raised, says = line.split(":", 1)
                    assert says.strip(), f"{rule}: [{heading} expects nothing of the message"
                    steps[-1] = (steps[-1][0], raised, says.strip())
            assert steps, f"{rule}: [{heading} runs nothing"
            yield Block(function, reason.strip(), steps)


ALL = [(rule, block) for rule in RULES for block in blocks(rule)]


@pytest.mark.parametrize("rule", RULES)
def test_every_function_has_a_case_or_a_reason(rule: str) -> None:
    assert sorted({block.function for block in blocks(rule)}) == FUNCTIONS


def returns_no_overwrite(block: Block, run: Callable[[str], Any]) -> None:
    for expression, _, _ in block.steps:
        assert "INSERT OVERWRITE TABLE" not in repr(run(expression))


def takes_no_folder(block: Block, run: Callable[[str], Any]) -> None:
    for expression, _, _ in block.steps:
        with pytest.raises(saltplan.InvalidInput, match="directory|folder"):
            run(expression)


def takes_no_value(block: Block, run: Callable[[str], Any]) -> None:
    names = inspect.signature(getattr(saltplan, block.function)).parameters
    assert not {"params", "runtime", "hivevar", "predicate", "rows"} & set(names)
    for expression, _, _ in block.steps:
        run(expression)


def reads_no_file(block: Block, run: Callable[[str], Any]) -> None:
    assert not inspect.signature(getattr(saltplan, block.function)).parameters
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for expression, _, _ in block.steps:
        run(expression)


def assert_found(name: str, result: Dict[str, Any]) -> None:
    assert any(name in str(finding) for finding in result["findings"]), result


REASONS: Dict[str, Callable[[Block, Callable[[str], Any]], None]] = {
    "returns no INSERT OVERWRITE": returns_no_overwrite,
    "takes no folder": takes_no_folder,
    "takes no value": takes_no_value,
    "reads no file": reads_no_file,
}


@pytest.mark.parametrize("rule, block", ALL, ids=[f"{rule}-{block.function}" for rule, block in ALL])
def test_the_rule_holds(rule: str, block: Block, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "inside"
    shutil.copytree(DOORS / "files", inside)
    with (inside / "huge").open("wb") as huge:
        huge.truncate(8 << 30)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.sql").write_text("SELECT 'SECRET';\n", encoding="utf-8")
    monkeypatch.chdir(inside)

    def run(expression: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", saltplan.SaltplanWarning)
            return eval(expression, {"saltplan": saltplan, "os": os, "assert_found": assert_found})

    if block.reason:
        REASONS[block.reason](block, run)
        return
    for expression, raised, says in block.steps:
        if raised:
            with pytest.raises(getattr(saltplan, raised), match=re.escape(says)) as found:
                run(expression)
            assert "SECRET" not in str(found.value)
        else:
            run(expression)
