import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Fills a table step by step, so that the background work of HBase has the same order every time: when a memstore is nearly full,
 * rows are inserted one by one, and the next row waits until the flush, the compactions and the splits that follow are over.
 */
final class Filler {
  /** From this share of the flush size on, any row may trigger a flush. */
  private static final double NEARLY_FULL = 0.97;
  /** The approximate memory of a row in addition to its value. */
  private static final long ROW_BYTES = 110;
  private static final long FLUSH_STARTS_MS = 60;
  private static final long POLL_MS = 40;
  private static final int STABLE_POLLS = 5;
  /** The chore that removes compacted files runs every second in the lab; a region with references to them does not split. */
  private static final long DISCHARGE_MS = 2200;

  private final Connection connection;
  private final TableName name;
  /** Bytes put into each region since its last flush, by the region's name. */
  private final Map<String, Long> unflushed = new HashMap<>();

  Filler(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  String fill(String[] lines) throws Exception {
    String[] words = lines[1].split("[: ]");
    byte[] family = Bytes.toBytes(words[0]);
    byte[] qualifier = Bytes.toBytes(words[1]);
    byte[] value = new byte[Integer.parseInt(words[2])];
    long nearlyFull = (long) (Long.parseLong(words[3]) * NEARLY_FULL);
    Random random = new Random(1);
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name);
        RegionLocator locator = connection.getRegionLocator(name)) {
      Map<String, String> before = settle(admin);
      List<Put> puts = new ArrayList<>();
      for (int i = 2; i < lines.length; i++) {
        random.nextBytes(value);
        Put put = new Put(Bytes.fromHex(lines[i])).addColumn(family, qualifier, value.clone());
        puts.add(put);
        String region = locator.getRegionLocation(put.getRow()).getRegion().getEncodedName();
        long bytes = unflushed.merge(region, value.length + ROW_BYTES, Long::sum);
        if (bytes < nearlyFull && i < lines.length - 1) continue;
        table.put(puts);
        puts.clear();
        Thread.sleep(FLUSH_STARTS_MS);
        if (!files(admin).equals(before)) before = settled(admin, before);
      }
    }
    return Integer.toString(lines.length - 2);
  }

  /** Waits, and resets the counts of the regions that have changed. */
  private Map<String, String> settled(Admin admin, Map<String, String> before) throws Exception {
    Map<String, String> now = settle(admin);
    unflushed.keySet().removeIf(region -> !Objects.equals(before.get(region), now.get(region)));
    return now;
  }

  private Map<String, String> settle(Admin admin) throws Exception {
    Map<String, String> last = Map.of();
    int regions = admin.getRegions(name).size();
    for (int stable = 0; stable < STABLE_POLLS; ) {
      Thread.sleep(POLL_MS);
      Map<String, String> now = files(admin);
      stable = now.equals(last) && idle(admin) ? stable + 1 : 0;
      last = now;
      if (stable < STABLE_POLLS) continue;
      int open = admin.getRegions(name).size();
      if (open != regions || open != now.size()) {
        regions = open;
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
      // The client of 2.4 fails for a region that is being closed.
      return false;
    }
  }

  /** The values that flushes and compactions change, by region, read from the region servers. */
  private Map<String, String> files(Admin admin) throws Exception {
    Map<String, String> regions = new TreeMap<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, name)) {
        String files = region.getStoreFileCount() + " " + region.getCompactedCellCount();
        regions.put(RegionInfo.encodeRegionName(region.getRegionName()), files);
      }
    }
    return regions;
  }

  /** The sizes come from the files themselves, once compacted ones are gone: the metrics are in MiB. */
  String state() throws Exception {
    Thread.sleep(DISCHARGE_MS);
    Configuration conf = connection.getConfiguration();
    Path root = new Path(conf.get("hbase.rootdir"), "data/default/" + name.getNameAsString());
    FileSystem files = root.getFileSystem(conf);
    StringBuilder text = new StringBuilder();
    try (Admin admin = connection.getAdmin()) {
      List<RegionInfo> regions = new ArrayList<>(admin.getRegions(name));
      regions.sort(RegionInfo.COMPARATOR);
      for (RegionInfo region : regions) {
        byte[] start = region.getStartKey();
        text.append(start.length == 0 ? "-" : Bytes.toHex(start));
        long bytes = 0;
        int count = 0;
        for (FileStatus family : files.listStatus(new Path(root, region.getEncodedName()))) {
          String directory = family.getPath().getName();
          if (!family.isDirectory() || directory.startsWith(".") || directory.equals("recovered.edits")) continue;
          for (FileStatus file : files.listStatus(family.getPath())) {
            bytes += file.getLen();
            count++;
          }
        }
        text.append(' ').append(count).append(' ').append(bytes).append('\n');
      }
    }
    return text.toString();
  }
}
