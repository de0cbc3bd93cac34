"""One Spark session, either over the Hive metastore of the lab, with the HBase handler and the jar of storage-handler/ on its class path
(`hive`), or with the data source of hbase-spark (`connector`).

Requests and answers are those of java/src/frames/Frames.java:

- query: a statement; answers with its rows, each a line, cells between tabs
- set: NAME=VALUE, a property of Spark
- view: NAME OPTIONS, a view of an HBase table with the options of hbase-spark, in JSON
- rdd: counts the rows of an HBase table with the input format of HBase itself
"""

import glob
import json
import os
import sys

# Answers go to what is now stdout; all else that is printed goes to stderr.
ANSWERS = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

from pyspark.sql import SparkSession

HBASE = "org.apache.hadoop.hbase."
# What Hive's handler needs and Spark does not have.
NEEDED = (
    "hbase-client-", "hbase-common-", "hbase-server-", "hbase-protocol-", "hbase-hadoop-compat-", "hbase-hadoop2-compat-",
    "hbase-metrics-", "hbase-prefix-tree-", "hbase-shaded-", "hive-hbase-handler-", "htrace-core-", "protobuf-java-",
    "metrics-core-2",
)  # fmt: skip


def session(kind, lab, options):
    if kind == "hive":
        jars = [jar for jar in sorted(glob.glob(f"{lab}/jars/hive2/*.jar")) if os.path.basename(jar).startswith(NEEDED)]
        path = [*jars, f"{lab}/ranges/saltplan-hive.jar", f"{lab}/conf/hive2"]
    else:
        path = [*sorted(glob.glob(f"{lab}/connector/*.jar")), f"{lab}/conf/hbase"]
    builder = SparkSession.builder.master("local[1]").config("spark.driver.extraClassPath", ":".join(path))
    builder = builder.config("spark.driver.extraJavaOptions", options)
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    # The file system of the lab is a class of the Hive helpers.
    builder = builder.config("spark.hadoop.fs.file.impl", "org.apache.hadoop.fs.LocalFileSystem")
    return (builder.enableHiveSupport() if kind == "hive" else builder).getOrCreate()


def rdd(spark, table):
    jvm = spark.sparkContext._jvm
    conf = jvm.org.apache.hadoop.hbase.HBaseConfiguration.create()
    conf.set("hbase.mapreduce.inputtable", table)
    names = ("mapreduce.TableInputFormat", "io.ImmutableBytesWritable", "client.Result")
    classes = [jvm.java.lang.Class.forName(HBASE + name) for name in names]
    return str(spark.sparkContext._jsc.newAPIHadoopRDD(conf, *classes).count())


def answer(spark, verb, body):
    if verb == "query":
        return "".join("\t".join(str(cell) for cell in row) + "\n" for row in spark.sql(body).collect())
    if verb == "view":
        name, options = body.split(" ", 1)
        table = spark.read.format("org.apache.hadoop.hbase.spark").options(**json.loads(options))
        table.load().createOrReplaceTempView(name)
        return ""
    if verb == "set":
        # Of the running context: it reads these properties for each table.
        spark.sparkContext._jsc.sc().conf().set(*body.split("=", 1))
        return ""
    if verb == "rdd":
        return rdd(spark, body)
    raise ValueError(f"no such verb: {verb}")


def write(status, text):
    body = text.encode()
    ANSWERS.write(f"{status} {len(body)} 0\n".encode() + body)
    ANSWERS.flush()


def main():
    spark = session(*sys.argv[1:])
    write("ok", "ready")
    while line := sys.stdin.buffer.readline():
        verb, length = line.decode().split()
        body = sys.stdin.buffer.read(int(length)).decode()
        try:
            write("ok", answer(spark, verb, body))
        except Exception as error:
            write("error", str(error))


main()
