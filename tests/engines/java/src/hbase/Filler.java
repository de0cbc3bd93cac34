import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Fills a table step by step, so that what HBase does in the background comes in the same order every time. */
final class Filler {
  private static final int BATCH = 5;
  private static final long FLUSH_STARTS_MS = 8;
  private static final long POLL_MS = 50;
  private static final int STABLE_POLLS = 6;
  /** The chore that removes compacted files runs every second in the lab; a region with references to them does not split. */
  private static final long DISCHARGE_MS = 2200;

  private final Connection connection;
  private final TableName name;

  Filler(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  String fill(String[] lines) throws Exception {
    String[] words = lines[1].split("[: ]");
    byte[] family = Bytes.toBytes(words[0]);
    byte[] qualifier = Bytes.toBytes(words[1]);
    byte[] value = new byte[Integer.parseInt(words[2])];
    Random random = new Random(1);
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      String before = shape(admin);
      List<Put> puts = new ArrayList<>();
      for (int i = 2; i < lines.length; i++) {
        random.nextBytes(value);
        puts.add(new Put(Bytes.fromHex(lines[i])).addColumn(family, qualifier, value.clone()));
        if (puts.size() == BATCH || i == lines.length - 1) {
          table.put(puts);
          puts.clear();
          Thread.sleep(FLUSH_STARTS_MS);
          if (!shape(admin).equals(before)) before = settle(admin);
        }
      }
      settle(admin);
    }
    return Integer.toString(lines.length - 2);
  }

  private String settle(Admin admin) throws Exception {
    String last = "";
    int regions = connection.getRegionLocator(name).getAllRegionLocations().size();
    for (int stable = 0; stable < STABLE_POLLS; ) {
      Thread.sleep(POLL_MS);
      String shape = shape(admin);
      stable = shape.equals(last) && idle(admin) ? stable + 1 : 0;
      last = shape;
      int now = admin.getRegions(name).size();
      if (stable == STABLE_POLLS && now != regions) {
        regions = now;
        stable = 0;
        Thread.sleep(DISCHARGE_MS);
      }
    }
    return last;
  }

  private boolean idle(Admin admin) throws Exception {
    try {
      return admin.getCompactionState(name) == CompactionState.NONE;
    } catch (NullPointerException betweenTwoRegions) {
      // The client of 2.4 does not bear a region that is just being closed.
      return false;
    }
  }

  /** Regions and files, asked of the region servers themselves. A region on its way between two states counts as well. */
  private String shape(Admin admin) throws Exception {
    TreeMap<String, String> regions = new TreeMap<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
        regions.put(region.getNameAsString(), region.getStoreFileCount() + " " + region.getCompactedCellCount());
      }
    }
    return admin.getRegions(name).size() + " " + regions;
  }

  String state() throws Exception {
    TreeMap<String, String> regions = new TreeMap<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
          byte[] start = RegionInfo.getStartKey(region.getRegionName());
          String key = start.length == 0 ? "-" : Bytes.toHex(start);
          regions.put(
              key, region.getStoreFileCount() + " " + (long) region.getStoreFileSize().get(Size.Unit.BYTE));
        }
      }
    }
    StringBuilder text = new StringBuilder();
    regions.forEach((start, state) -> text.append(start).append(' ').append(state).append('\n'));
    return text.toString();
  }
}
