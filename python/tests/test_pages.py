"""The Python on the pages of the documentation."""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict, List

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks() -> List[str]:
    pages = sorted((ROOT / "docs").glob("*.md"))
    return [block for page in pages for block in BLOCK.findall(page.read_text(encoding="utf-8"))]


def test_there_are_blocks() -> None:
    assert len(blocks()) >= 3


@pytest.mark.parametrize("block", blocks())
def test_a_block_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = compile(block, "page", "exec")
    if "HiveOperator" in block:
        return  # A package of its own; test_airflow.py renders the same template.
    if "airflow" in block and find_spec("airflow") is None:
        pytest.skip("Airflow is not installed")
    shutil.copy(ROOT / "schemas" / "examples" / "md5_nibble_day.yaml", tmp_path / "calls.yaml")
    monkeypatch.chdir(tmp_path)
    if "from calls_key import" in block:
        writer = [sys.executable, "-m", "saltplan", "generate", "writer", "calls.yaml", "--lang", "python"]
        subprocess.run([*writer, "--class", "CallsKey", "-o", "calls_key.py"], check=True)
        monkeypatch.syspath_prepend(tmp_path)
    if "import happybase" in block:
        # A table in memory; tests/engines runs readers through a real Thrift server.
        monkeypatch.syspath_prepend(ROOT / "tests" / "writers")
    names: Dict[str, Any] = {}
    exec(compiled, names)
    if "sql" in names:
        assert "PARTITION (`opera_day` = 20200406)" in names["sql"]
        assert len(names["ranges"]) == 16 and names["keys"] == [b"01520200406u1"]
