#!/usr/bin/env python3
"""Makes 1,000 files of about 10 KB with the TPC-H and TPC-DS queries as they are published, and schemas in which their largest
tables are salted. Usage: benches/queries.py FOLDER [FILES]

The queries are those of target/corpus, which `tests/engines/run skeletons` fetches. Then:

    saltplan rewrite --schemas FOLDER/schemas FOLDER/queries -o FOLDER/out --allow-full-scan
"""

import sys
from pathlib import Path

SIZE = 10_000
ROOT = Path(__file__).parent.parent
# The salted tables, with the first column of their keys and a number that is salted.
SALTED = {
    "tpch": {"lineitem": ("l_shipdate", "l_orderkey"), "orders": ("o_orderdate", "o_orderkey")},
    "tpcds": {
        "store_sales": ("ss_sold_date_sk", "ss_ticket_number"),
        "catalog_sales": ("cs_sold_date_sk", "cs_order_number"),
        "web_sales": ("ws_sold_date_sk", "ws_order_number"),
    },
}


def columns_of(benchmark, table):
    for line in (ROOT / "tests/testdata/pushed/tables.txt").read_text().splitlines():
        name, _, columns = line.partition(": ")
        if name == f"{benchmark} {table}":
            return [column.split(" ", 1) for column in columns.split(", ")]
    sys.exit(f"no table {table}")


def field(name, hive_type):
    if hive_type == "date":
        return f"{{ name: {name}, type: date, format: yyyyMMdd, hive_type: date }}"
    return f"{{ name: {name}, type: bigint, encoding: decimal, width: 10 }}"


def schema(benchmark, table, first, salted):
    columns = columns_of(benchmark, table)
    types = dict(columns)
    others = [name for name in types if name not in (first, salted)]
    lines = "".join(f"  - {{ name: {name}, type: string, hbase: 'f:{name}' }}\n" for name in others)
    return f"""saltplan: 1
hbase: {{ table: {table}, families: {{ f: {{}} }} }}
key:
  salt: {{ modulo: {{ of: {salted}, by: 8, write: decimal }} }}
  fields:
    - {field(first, types[first])}
    - {field(salted, 'bigint')}
columns:
{lines}hive: {{ mapping: {{ table: default.{table}_map, key_column: k }}, view: default.{table} }}
"""


def main():
    folder, files = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000
    (folder / "schemas").mkdir(parents=True)
    (folder / "queries").mkdir()
    queries = []
    for benchmark, tables in SALTED.items():
        for table, (first, salted) in tables.items():
            (folder / "schemas" / f"{table}.yaml").write_text(schema(benchmark, table, first, salted))
        found = sorted((ROOT / "target/corpus/spark" / benchmark).rglob("*.sql"))
        queries += [path.read_text().strip().rstrip(";") + ";\n" for path in found]
    if not queries:
        sys.exit("no queries in target/corpus: run tests/engines/run skeletons")
    at = statements = 0
    for number in range(files):
        text = "USE default;\n"
        while len(text) < SIZE:
            text += f"-- query {at} of file {number}\n" + queries[at % len(queries)]
            at += 1
        (folder / "queries" / f"q{number}.sql").write_text(text)
        statements += text.count(";\n")
    sizes = sum(path.stat().st_size for path in (folder / "queries").iterdir())
    print(f"{files} files, {sizes} bytes, {statements} statements of {len(queries)} queries")


main()
