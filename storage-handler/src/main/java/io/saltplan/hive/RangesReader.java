package io.saltplan.hive;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableRecordReader;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Reads ranges of a table one after the other, each with its own scan. */
final class RangesReader extends RecordReader<ImmutableBytesWritable, Result> {
  private final Table table;
  private final Scan scan;
  private final List<KeyRange> ranges;
  private InputSplit split;
  private TaskAttemptContext context;
  private int opened;
  /**
   * An HBase reader that has reached its end has also ended its scan. Closing it would close the table, too, so only the last
   * reader is closed.
   */
  private TableRecordReader current;

  RangesReader(Table table, Scan scan, List<KeyRange> ranges) {
    this.table = table;
    this.scan = scan;
    this.ranges = ranges;
  }

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) {
    this.split = split;
    this.context = context;
  }

  @Override
  public boolean nextKeyValue() throws IOException, InterruptedException {
    while (current == null || !current.nextKeyValue()) {
      if (opened == ranges.size()) return false;
      current = open(ranges.get(opened));
      opened++;
    }
    return true;
  }

  @SuppressWarnings("deprecation") // In HBase 1 this is the only way to set the bounds.
  private TableRecordReader open(KeyRange range) throws IOException, InterruptedException {
    Scan bounded = new Scan(scan);
    bounded.setStartRow(range.start());
    bounded.setStopRow(range.hbaseStop());
    TableRecordReader reader = new TableRecordReader();
    reader.setScan(bounded);
    reader.setTable(table);
    reader.initialize(split, context);
    return reader;
  }

  @Override
  public ImmutableBytesWritable getCurrentKey() throws IOException, InterruptedException {
    return current.getCurrentKey();
  }

  @Override
  public Result getCurrentValue() throws IOException, InterruptedException {
    return current.getCurrentValue();
  }

  @Override
  public float getProgress() {
    return ranges.isEmpty() ? 1 : (float) opened / ranges.size();
  }

  @Override
  public void close() throws IOException {
    if (current != null) current.close();
    else table.close();
  }
}
