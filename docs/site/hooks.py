"""Pages of the site that are files elsewhere in the repository, and links to them.

The pages under docs/ link to the repository as it is, so that they can be read there; here such links lead to pages of the site.
"""

import base64
import html
import json
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = "schemas/examples"
JSON_SCHEMA = "schemas/saltplan.schema.json"
SCHEDULERS = "examples/schedulers"
# The search worker makes the search work in pages that are opened from files.
ASSETS = ("iframe-worker.js", "extra.css", "try.js")
# What the page try.md runs, if docs/site/module has built it, and the first predicate of each example there.
MODULE = "target/wasm32-wasip1/module/saltplan-browser.wasm"
PREDICATES = {
    "md5_nibble_day": "opera_day = 20200406",
    "hash_prefix_short": "customer_id = '0000012345' AND contract_id = 'c1'",
    "md5_prefix": "customer_id = '0000012345' AND contract_id = 'c1'",
    "md5_whole": "customer_id = '0000012345' AND contract_id = 'c1'",
    "modulo_partition": "id BETWEEN 1000 AND 1999",
    "plain_concat": "customer_id LIKE '00000123%'",
    "random_digit": "click_time >= '2020-04-06' AND click_time < '2020-04-07'",
    "random_two_digits": "event_id = 'abcd1234' AND event_day = 20200401",
    "region_number": "tel = '13800138000' AND call_time >= '2020-04-01 00:00:00'",
    "reversed_id_time": "user_id = '0000012345' AND order_time >= '2020-04-06 00:00:00'",
}
# Their split keys come from a file with row keys, which the page cannot read.
WITH_FILES = ("md5_sampled",)
# Files of the repository and the pages that they are.
PAGES = {"benches/README.md": "benches.md", "CHANGELOG.md": "changes.md"}
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
# A code block of a built page.
BLOCK = re.compile(r'<div class="(?:language-(\w+) )?highlight">(?=.*?<code>(.*?)</code>)', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
# The picture with a source for dark mode. The theme has a switch of its own, so it needs two images.
PICTURE = re.compile(r'<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)"[^>]*>\s*</picture>')
# For those who edit the pages, and for the tests.
COMMENT = re.compile(r"^<!-- .* -->\n", re.MULTILINE)


def on_files(files, config):
    for path, page in PAGES.items():
        files.append(File.generated(config, page, content=linked((ROOT / path).read_text(), posixpath.dirname(path))))
    files.append(File.generated(config, "examples.md", content=examples()))
    files.append(File.generated(config, "scheduler-examples.md", content=schedulers()))
    for path in (ROOT / EXAMPLES).glob("*.txt"):
        files.append(File.generated(config, f"examples/{path.name}", abs_src_path=str(path)))
    files.append(File.generated(config, "saltplan.schema.json", abs_src_path=str(ROOT / JSON_SCHEMA)))
    for name in ASSETS:
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(ROOT / "docs/site" / name)))
    if (ROOT / MODULE).exists():
        files.append(File.generated(config, "assets/try-module.js", content=planner()))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.generated_by is not None:
        return markdown
    markdown = PICTURE.sub(r"![\2](\3#only-light)![\2](\1#only-dark)", markdown)
    return linked(COMMENT.sub("", markdown), "docs")


def planner():
    """A script with the planner and the example tables: a page from a file may load scripts, but no other files."""
    names = [path.stem for path in sorted((ROOT / EXAMPLES).glob("*.yaml")) if path.stem not in WITH_FILES]
    tables = [
        {"name": name, "schema": (ROOT / EXAMPLES / f"{name}.yaml").read_text(), "predicate": PREDICATES[name]}
        for name in sorted(names, key=list(PREDICATES).index)
    ]
    module = base64.b64encode((ROOT / MODULE).read_bytes()).decode()
    return f"globalThis.saltplanTry = {json.dumps({'planner': module, 'tables': tables})};\n"


def on_page_content(content, page, config, files):
    """Adds to each code block what its button copies: of a console only the commands, otherwise the whole text."""

    def marked(match):
        text = html.unescape(TAG.sub("", match[2])).rstrip("\n")
        copied = html.escape(commands(text) if match[1] == "console" else text)
        return match[0].removesuffix(">") + f' data-copy="{copied}">'

    script = '<script src="assets/try.js"></script>' if page.file.src_uri == "try.md" else ""
    return BLOCK.sub(marked, content) + script


def commands(text):
    """The commands of a console: lines after `$ `, and those that continue them after a backslash."""
    kept = []
    is_open = False
    for line in text.split("\n"):
        if is_open or line.startswith("$ "):
            kept.append(line if is_open else line.removeprefix("$ "))
            is_open = line.endswith("\\")
    return "\n".join(kept)


def linked(markdown, folder):
    """The text with links that leave docs/ turned into links to pages; `folder` is where it lies in the repository."""

    def replace(match):
        target, anchor = match[1], match[2] or ""
        if "://" in target:
            return match[0]
        path = posixpath.normpath(posixpath.join(folder, target))
        if path.startswith("docs/"):
            return f"]({posixpath.relpath(path, 'docs')}{anchor})"
        if path.startswith(f"{SCHEDULERS}/"):
            part = path.removeprefix(f"{SCHEDULERS}/").split("/")[0]
            return "](scheduler-examples.md" + ("" if "." in part else f"#{part}") + ")"
        if path in PAGES:
            return f"]({PAGES[path]}{anchor})"
        if path == JSON_SCHEMA:
            return "](saltplan.schema.json)"
        if path == EXAMPLES:
            return "](examples.md)"
        if posixpath.dirname(path) == EXAMPLES and path.endswith(".yaml"):
            return f"](examples.md#{posixpath.basename(path).removesuffix('.yaml')})"
        if posixpath.dirname(path) == EXAMPLES and path.endswith(".txt"):
            return f"](examples/{posixpath.basename(path)})"
        return match[0]

    return LINK.sub(replace, markdown)


def examples():
    """One page with the example schemas as they are."""
    text = "# Example schemas\n\nThey are in `schemas/examples`; [the designs, side by side](designs.md) compares them.\n"
    for path in sorted((ROOT / EXAMPLES).glob("*.yaml")):
        text += f"\n## {path.stem}\n\n```yaml\n{path.read_text().rstrip()}\n```\n"
    return text


def schedulers():
    """One page with what each scheduler needs, without the long statements."""
    root = ROOT / SCHEDULERS
    text = linked((root / "README.md").read_text(), SCHEDULERS)
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        page = (folder / "README.md").read_text().split("\n", 1)[1]
        text += f"\n## {folder.name}\n{linked(page, f'{SCHEDULERS}/{folder.name}')}"
        for path in sorted(path for path in folder.iterdir() if path.suffix not in ("", ".md", ".sql")):
            text += f"\n`{path.name}`:\n\n```\n{path.read_text().rstrip()}\n```\n"
    return text
