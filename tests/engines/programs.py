"""Runs the readers r_NAME.py in the current folder: programs.py python|pyspark PORT NAME...

Prints a line for each: its name and the row keys in hex.
"""

import importlib
import os
import sys

sys.path.insert(0, os.getcwd())
language, port, *names = sys.argv[1:]

if language == "pyspark":
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    for name in names:
        spark.sparkContext.addPyFile(f"r_{name}.py")

    def keys(program):
        rows = program.read(spark, "127.0.0.1", int(port)).collect()
        return [row.row_key for row in rows]

else:
    import happybase

    def keys(program):
        connection = happybase.Connection("127.0.0.1", int(port))
        return [key for key, _ in program.read(connection)]


for name in names:
    found = [key.hex() for key in keys(importlib.import_module(f"r_{name}"))]
    print(" ".join([name, *found]), flush=True)
