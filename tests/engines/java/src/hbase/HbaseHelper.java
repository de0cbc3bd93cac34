import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.ToolRunner;

/**
 * Answers requests about HBase tables. The first line of a request is the table.
 *
 * <ul>
 *   <li>put: the other lines are rows: hex key, then for each cell a tab, FAMILY:QUALIFIER, `=`, hex value
 *   <li>scan: the rows of the table, in the same form
 *   <li>reads: the rows the region servers have read for the table since they started
 *   <li>filtered: the rows they have read and then dropped by a filter; `reads` does not count them
 *   <li>splits: the start keys of the regions but the first, one in hex per line
 *   <li>fill: the second line is FAMILY:QUALIFIER, the length of a value and the flush size, the others are row keys in hex. Puts
 *       one value into each row, and waits for the flushes, compactions and splits that they set off
 *   <li>state: the regions, one a line: start row in hex (`-` for the first), number of store files, their bytes
 *   <li>bulkload: the second line is a directory with a folder of HFiles for each family; they become the table's
 *   <li>read: runs a program of `generate reader`. The second line is the folder of its class, the third the class, the
 *       fourth how it reads: `read`, `scans`, `one_scan` or `mapreduce`. The row keys, one in hex per line
 *   <li>count: runs HBase's RowCounter with the arguments of the other lines; its exit code
 *   <li>drop: deletes the table, if there is one
 * </ul>
 */
public class HbaseHelper {
  private final Connection connection;
  private final Admin admin;

  private HbaseHelper(Connection connection) throws Exception {
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  public static void main(String[] args) throws Exception {
    Frames frames = new Frames();
    Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
    frames.serve(new HbaseHelper(connection)::answer);
  }

  private String answer(String verb, String body) throws Exception {
    String[] lines = body.split("\n");
    TableName table = TableName.valueOf(lines[0]);
    switch (verb) {
      case "put":
        return put(table, lines);
      case "scan":
        return scan(table);
      case "reads":
        return Long.toString(sum(table, RegionMetrics::getReadRequestCount));
      case "filtered":
        return Long.toString(sum(table, RegionMetrics::getFilteredReadRequestCount));
      case "splits":
        return splits(table);
      case "fill":
        return new Filler(connection, table).fill(lines);
      case "state":
        return new Filler(connection, table).state();
      case "bulkload":
        return Integer.toString(BulkLoadHFiles.create(connection.getConfiguration()).bulkLoad(table, new Path(lines[1])).size());
      case "read":
        return String.join("\n", new Reader(connection, table).read(lines[1], lines[2], lines[3]));
      case "count":
        return Integer.toString(
            ToolRunner.run(connection.getConfiguration(), new RowCounter(), Arrays.copyOfRange(lines, 1, lines.length)));
      case "drop":
        return drop(table);
      default:
        throw new Frames.Failure("no such verb: " + verb);
    }
  }

  private String put(TableName name, String[] lines) throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) puts.add(put(lines[i]));
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
    return Integer.toString(puts.size());
  }

  private static Put put(String line) {
    String[] parts = line.split("\t");
    Put put = new Put(Bytes.fromHex(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      int colon = parts[i].indexOf(':');
      int equals = parts[i].indexOf('=', colon);
      put.addColumn(
          Bytes.toBytes(parts[i].substring(0, colon)),
          Bytes.toBytes(parts[i].substring(colon + 1, equals)),
          Bytes.fromHex(parts[i].substring(equals + 1)));
    }
    return put;
  }

  private String scan(TableName name) throws Exception {
    StringBuilder text = new StringBuilder();
    try (Table table = connection.getTable(name);
        ResultScanner results = table.getScanner(new Scan().setCaching(1000))) {
      for (Result result : results) {
        text.append(Bytes.toHex(result.getRow()));
        for (Cell cell : result.rawCells()) {
          text.append('\t')
              .append(Bytes.toString(CellUtil.cloneFamily(cell)))
              .append(':')
              .append(Bytes.toString(CellUtil.cloneQualifier(cell)))
              .append('=')
              .append(Bytes.toHex(CellUtil.cloneValue(cell)));
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** Asks every region server itself: what the master knows is seconds old. */
  private long sum(TableName table, ToLongFunction<RegionMetrics> counter) throws Exception {
    long sum = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, table)) sum += counter.applyAsLong(region);
    }
    return sum;
  }

  private String splits(TableName name) throws Exception {
    StringBuilder text = new StringBuilder();
    for (byte[] start : connection.getRegionLocator(name).getStartKeys()) {
      if (start.length > 0) text.append(Bytes.toHex(start)).append('\n');
    }
    return text.toString();
  }

  private String drop(TableName table) throws Exception {
    if (!admin.tableExists(table)) return "";
    if (admin.isTableEnabled(table)) admin.disableTable(table);
    admin.deleteTable(table);
    return "";
  }
}
