"""The installed wheel has the licences of saltplan and the notices of the libraries in its command."""

from importlib.metadata import distribution


def test_notices():
    files = {path.name: path for path in distribution("saltplan").files or () if "licenses" in path.parts}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt"} <= set(files)
    assert "serde" in files["THIRD-PARTY.txt"].read_text(encoding="utf-8")
