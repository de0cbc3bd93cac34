"""Compares what saltplan-rewrite takes for the blocks, tables, aliases and joins of a query with what sqlglot finds.

`tests/engines/run skeletons` writes target/corpus/*.jsonl. Then, in an environment with sqlglot:
python tests/engines/second_reader.py hive target/corpus/hive.jsonl; python tests/engines/second_reader.py spark target/corpus/spark.jsonl
"""

import json
import sys

import sqlglot
from sqlglot import exp

KINDS = {"LEFT": "L", "RIGHT": "R", "FULL": "F"}


def name(identifier):
    return identifier.name.lower() if identifier is not None else ""


def relation(node):
    """A relation in the form of the helper `Structure`, with the joins in its brackets."""
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        parts = [part.name.lower() for part in node.parts]
        text = ".".join(parts) + ":" + alias(node)
    elif isinstance(node, (exp.Subquery, exp.Paren)) and isinstance(node.this, (exp.Table, exp.Subquery)) and not node.alias:
        text = relation(node.this)
    elif isinstance(node, (exp.Subquery, exp.Values)):
        text = "():" + alias(node)
    else:
        text = "?:" + alias(node)
    return joined(text, node.args.get("joins"))


def alias(node):
    given = node.args.get("alias")
    return name(given.args.get("this")) if given is not None else ""


def joined(text, joins):
    for join in joins or []:
        kind = KINDS.get(join.side, "I")
        if join.kind == "SEMI" or join.side == "SEMI":
            kind = "S"
        if join.kind == "ANTI" or join.side == "ANTI":
            kind = "A"
        # A join without ON has `ON TRUE` here.
        on = join.args.get("on")
        on = "on" if on is not None and on != exp.true() else ""
        text = f"{kind}({text} {relation(join.this)}){on}"
    return text


def blocks(tree):
    lines = []
    for select in tree.find_all(exp.Select):
        source = select.args.get("from_") or select.args.get("from")
        # sqlglot drops what follows a leading FROM.
        text = joined(relation(source.this), select.args.get("joins")) if source is not None else ""
        lines.append(text + (" where" if select.args.get("where") is not None else " all"))
    return "\n".join(sorted(lines))


def main(dialect, path):
    sqlglot.parser.logger.disabled = True
    read = same = unread = total = 0
    for line in open(path, encoding="utf-8"):
        statement = json.loads(line)
        total += 1
        try:
            tree = sqlglot.parse_one(statement["text"], read=dialect)
        except Exception:
            unread += 1
            continue
        if tree is None or isinstance(tree, exp.Command):
            unread += 1
            continue
        read += 1
        found = blocks(tree)
        if found == statement["found"]:
            same += 1
        else:
            print(statement["file"].rsplit("/", 1)[-1], statement["text"], f"  sqlglot:  {found!r}", f"  saltplan: {statement['found']!r}", sep="\n")
    print(f"{path}: {total} statements, sqlglot {sqlglot.__version__} reads {read}, the same structure in {same}")


main(*sys.argv[1:])
