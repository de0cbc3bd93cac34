package io.saltplan.hive;

import java.io.IOException;
import org.apache.hadoop.hive.hbase.HiveHBaseTableSnapshotInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;

/** Reads a snapshot as Hive does, which is always a read of all keys: a table may refuse it. */
public class SnapshotInputFormat extends HiveHBaseTableSnapshotInputFormat {
  @Override
  public InputSplit[] getSplits(JobConf conf, int hint) throws IOException {
    FullScan.refuse(conf);
    return super.getSplits(conf, hint);
  }
}
