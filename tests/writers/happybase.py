"""Stands for the package happybase: tables are files NAME.table, or empty. As a program it runs readers and prints what
they read."""

import importlib
import os
import sys


class Connection:
    def __init__(self, host=None, port=None):
        self.reads = 0

    def table(self, name, use_prefix):
        assert not use_prefix
        if not os.path.exists(f"{name}.table"):
            return Table(self, [])
        with open(f"{name}.table") as lines:
            return Table(self, [line.split() for line in lines])


class Table:
    def __init__(self, connection, rows):
        self.connection = connection
        self.rows = [(bytes.fromhex(key), dict(map(cell_of, cells))) for key, *cells in rows]

    def put(self, key, cells):
        self.rows = sorted([*(row for row in self.rows if row[0] != key), (key, cells)])

    def scan(self, row_start, row_stop):
        for key, cells in self.rows:
            if row_start <= key and (row_stop is None or key < row_stop):
                self.connection.reads += 1
                yield key, cells


def cell_of(text):
    column, value = text.split("=")
    return bytes.fromhex(column), bytes.fromhex(value)


def main():
    for name in sys.argv[1:]:
        connection = Connection()
        rows = list(importlib.import_module("r_" + name).read(connection))
        print(f"{name} reads {connection.reads}: {' '.join(key.hex() for key, _ in rows)}")


if __name__ == "__main__":
    main()
