"""The package for type checkers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import List, get_args

import pytest
import saltplan

ROOT = Path(__file__).parents[2]


def mypy(*arguments: str) -> str:
    pytest.importorskip("mypy", reason="mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={os.devnull}"]
    command += ["--config-file", str(ROOT / "pyproject.toml"), *arguments]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    return done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    assert (Path(saltplan.__file__).parent / "py.typed").exists()
    assert mypy("-p", "saltplan").startswith("Success")


def test_calls_are_checked() -> None:
    # An `ignore` without an error is an error.
    assert mypy(str(Path(__file__).parent / "typed.py")).startswith("Success")


def values_of(command: str, option: str) -> List[str]:
    """The values that an option has, as the help of the command lists them."""
    done = subprocess.run(
        [saltplan.find_saltplan_bin(), *command.split(), f"--{option}=?"], capture_output=True, check=False, text=True
    )
    listed = done.stderr.split("[possible values: ")[1].split("]")[0]
    return listed.split(", ")


def test_literals_are_the_words_of_the_command() -> None:
    assert list(get_args(saltplan.Engine)) == values_of("plan s p", "engine")
    assert list(get_args(saltplan.Shape)) == values_of("plan s p", "shape")
    assert list(get_args(saltplan.Part)) == values_of("ddl s", "only")
    assert list(get_args(saltplan.FailOn)) == values_of("audit s", "fail-on")


def test_the_version_is_that_of_the_command() -> None:
    done = subprocess.run([saltplan.find_saltplan_bin(), "--version"], capture_output=True, check=True, text=True)
    assert saltplan.__version__ == done.stdout.split()[1]


def test_all_exported_names_exist() -> None:
    assert sorted(saltplan.__all__) == saltplan.__all__
    assert [name for name in saltplan.__all__ if not hasattr(saltplan, name)] == []
