package io.saltplan.hive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.hbase.HBaseSplit;
import org.apache.hadoop.hive.hbase.HiveHBaseTableInputFormat;
import org.apache.hadoop.hive.hbase.ResultWritable;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Reads the row-key ranges that the conditions of a job allow. A region without a range is not opened. The ranges of a region
 * are shared among up to {@link #SPLITS_PER_REGION} tasks.
 *
 * <p>Hive uses one instance in many threads, and the superclass keeps its table in fields. So this class has no fields, and
 * every reader gets its own instance.
 */
public class RangesInputFormat implements InputFormat<ImmutableBytesWritable, ResultWritable> {
  /** The maximum number of tasks for the ranges of one region; 1 by default, as in a scan of the whole table. */
  public static final String SPLITS_PER_REGION = "saltplan.splits.per.region";

  @Override
  public InputSplit[] getSplits(JobConf conf, int hint) throws IOException {
    KeySet keys = Pushed.keys(conf);
    if (keys.isAll()) FullScan.refuse(conf);
    InputSplit[] regions = new HiveHBaseTableInputFormat().getSplits(ofWholeRows(conf), hint);
    if (keys.isAll()) return regions;
    int tasks = Math.max(1, conf.getInt(SPLITS_PER_REGION, 1));
    List<InputSplit> splits = new ArrayList<>();
    for (InputSplit split : regions) {
      HBaseSplit region = (HBaseSplit) split;
      TableSplit bounds = region.getTableSplit();
      KeySet all = KeySet.of(KeyRange.ofHbase(bounds.getStartRow(), bounds.getEndRow()));
      List<KeyRange> ranges = all.and(keys).ranges();
      for (List<KeyRange> share : shares(ranges, tasks)) {
        splits.add(new RangesSplit(bounds, share, region.getPath()));
      }
    }
    if (splits.isEmpty() && regions.length > 0) {
      // Without a task Hive would keep the old files of a partition that is overwritten.
      HBaseSplit region = (HBaseSplit) regions[0];
      splits.add(new RangesSplit(region.getTableSplit(), Collections.<KeyRange>emptyList(), region.getPath()));
    }
    return splits.toArray(new InputSplit[0]);
  }

  /** Parts in order, as equal as possible, none of them empty. */
  static List<List<KeyRange>> shares(List<KeyRange> ranges, int tasks) {
    List<List<KeyRange>> shares = new ArrayList<>();
    int count = Math.min(tasks, ranges.size());
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) ranges.size() * i / count);
      int to = (int) ((long) ranges.size() * (i + 1) / count);
      shares.add(ranges.subList(from, to));
    }
    return shares;
  }

  @Override
  public RecordReader<ImmutableBytesWritable, ResultWritable> getRecordReader(
      InputSplit split, JobConf conf, Reporter reporter) throws IOException {
    Zones.check(conf);
    HiveHBaseTableInputFormat format =
        split instanceof RangesSplit
            ? new RangesFormat(((RangesSplit) split).ranges())
            : new HiveHBaseTableInputFormat();
    return format.getRecordReader(split, ofWholeRows(conf), reporter);
  }

  /**
   * Removes settings that would lose or split rows. The configuration may contain the filter of another table of the job, which
   * would be applied here. With a batch size HBase returns the columns of a row in parts, and Hive would take each part for a
   * row.
   */
  private static JobConf ofWholeRows(JobConf conf) {
    if (conf.get(TableScanDesc.FILTER_OBJECT_CONF_STR) == null
        && conf.get(TableScanDesc.FILTER_EXPR_CONF_STR) == null
        && conf.get(HBaseSerDe.HBASE_SCAN_BATCH) == null) {
      return conf;
    }
    JobConf own = new JobConf(conf);
    own.unset(TableScanDesc.FILTER_OBJECT_CONF_STR);
    own.unset(TableScanDesc.FILTER_EXPR_CONF_STR);
    own.unset(TableScanDesc.FILTER_TEXT_CONF_STR);
    own.unset(HBaseSerDe.HBASE_SCAN_BATCH);
    return own;
  }

  /** Opens a table and chooses its columns as Hive does, but with a reader of ranges. */
  private static final class RangesFormat extends HiveHBaseTableInputFormat {
    private final List<KeyRange> ranges;

    RangesFormat(List<KeyRange> ranges) {
      this.ranges = ranges;
    }

    @Override
    public org.apache.hadoop.mapreduce.RecordReader<ImmutableBytesWritable, Result> createRecordReader(
        org.apache.hadoop.mapreduce.InputSplit split, TaskAttemptContext context) throws IOException {
      return new RangesReader(getTable(), getScan(), ranges);
    }
  }
}
