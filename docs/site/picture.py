"""Draws the picture at the top of the README and of the site: one day of a salted table, read by a full scan and by ranges.

    python3 docs/site/picture.py           writes docs/one-day-light.svg and docs/one-day-dark.svg
    python3 docs/site/picture.py --check   fails if they differ from what would be written

The numbers are those of the measurement in README.md: ten days in sixteen regions, 8,000 rows, 800 of them on the day.
"""

import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1]
SALTS, DAYS, DAY = 16, 10, 5
WIDTH, HEIGHT = 830, 320
# A region is a column, a day a cell of it; row keys are sorted from the top to the bottom.
CELL, PITCH = (16, 16), (23, 18)
TOP = 50
PANELS = (0, WIDTH - (SALTS - 1) * PITCH[0] - CELL[0])
THEMES = {
    "light": {"text": "#1f2328", "faint": "#59636e", "empty": "#e3e7ec", "all": "#d9691e", "some": "#0a8276"},
    "dark": {"text": "#f0f6fc", "faint": "#9ba5b0", "empty": "#2b323b", "all": "#f08a3c", "some": "#35c9b5"},
}
ALT = "One day of a table with sixteen salts: a full scan reads 8,000 rows; saltplan reads 800 rows, as sixteen short ranges"


def text(x, y, size, fill, words, anchor="start", weight=400):
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">{words}</text>'


def panel(left, colours, title, result, is_read, colour):
    """The regions of the table; a cell that is read has the colour."""
    bottom = TOP + DAYS * PITCH[1]
    right = left + (SALTS - 1) * PITCH[0] + CELL[0]
    yield text(left, 28, 28, colours["text"], title, weight=600)
    for salt in range(SALTS):
        for day in range(DAYS):
            fill = colour if is_read(day) else colours["empty"]
            x, y = left + salt * PITCH[0], TOP + day * PITCH[1]
            yield f'<rect x="{x}" y="{y}" width="{CELL[0]}" height="{CELL[1]}" rx="1.5" fill="{fill}"/>'
    yield text(left, bottom + 26, 24, colours["faint"], "000")
    yield text((left + right) / 2, bottom + 26, 24, colours["faint"], "one region per salt", "middle")
    yield text(right, bottom + 26, 24, colours["faint"], "015", "end")
    yield text(left, bottom + 76, 28, colour, result, weight=600)


def picture(colours):
    x, y = WIDTH / 2, TOP + DAY * PITCH[1] + CELL[1] / 2
    parts = [
        *panel(PANELS[0], colours, "Full scan", "8,000 rows read", lambda day: True, colours["all"]),
        text(x, y - 18, 24, colours["text"], "one day", "middle"),
        f'<path d="M{x - 36} {y}h70m-10 -10l10 10l-10 10" fill="none" stroke="{colours["text"]}" stroke-width="3"/>',
        *panel(PANELS[1], colours, "saltplan: 16 ranges", "800 rows read", lambda day: day == DAY, colours["some"]),
    ]
    body = "\n".join(parts)
    font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" font-family="{font}">
<title>{ALT}</title>
{body}
</svg>
"""


def main():
    stale = []
    for name, colours in THEMES.items():
        path = DOCS / f"one-day-{name}.svg"
        drawn = picture(colours)
        if "--check" not in sys.argv:
            path.write_text(drawn)
        elif not path.is_file() or path.read_text() != drawn:
            stale.append(path.name)
    if stale:
        sys.exit(f"{', '.join(stale)}: not what docs/site/picture.py draws; run it")


main()
