package io.saltplan.hive;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hive.hbase.HBaseSplit;

/** Ranges of one region that one task reads, one after the other. */
public class RangesSplit extends HBaseSplit {
  private final List<KeyRange> ranges;

  /** For Hadoop, which fills the fields by deserialization. */
  public RangesSplit() {
    ranges = new ArrayList<>();
  }

  RangesSplit(TableSplit region, List<KeyRange> ranges, Path table) {
    super(spanning(region, ranges), table);
    this.ranges = new ArrayList<>(ranges);
  }

  /** From the first start row to the last stop row: code that does not know this class reads too much rather than too little. */
  private static TableSplit spanning(TableSplit region, List<KeyRange> ranges) {
    if (ranges.isEmpty()) return region;
    byte[] start = ranges.get(0).start();
    byte[] stop = ranges.get(ranges.size() - 1).hbaseStop();
    return new TableSplit(region.getTable(), start, stop, region.getRegionLocation(), region.getLength());
  }

  List<KeyRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    out.writeInt(ranges.size());
    for (KeyRange range : ranges) {
      Bytes.writeByteArray(out, range.start());
      Bytes.writeByteArray(out, range.hbaseStop());
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    ranges.clear();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      byte[] start = Bytes.readByteArray(in);
      ranges.add(KeyRange.ofHbase(start, Bytes.readByteArray(in)));
    }
  }

  @Override
  public String toString() {
    return super.toString() + " " + ranges;
  }
}
