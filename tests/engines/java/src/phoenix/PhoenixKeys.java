import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.util.PhoenixRuntime;

/**
 * Row keys as Apache Phoenix makes them. Every line of stdin is a statement; for every UPSERT a line of stdout is the row key in hex. The
 * client of Phoenix compiles the statements and makes the rows, but has no HBase: they are read from the client itself.
 */
public class PhoenixKeys {
  private static final HexFormat HEX = HexFormat.of();

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    StringBuilder keys = new StringBuilder();
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none")) {
      connection.setAutoCommit(false);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        try {
          connection.createStatement().execute(line);
        } catch (Exception e) {
          throw new IllegalArgumentException(line, e);
        }
        Iterator<Pair<byte[], List<Cell>>> rows = PhoenixRuntime.getUncommittedDataIterator(connection);
        Set<String> found = new TreeSet<>();
        while (rows.hasNext()) {
          for (Cell cell : rows.next().getSecond()) found.add(HEX.formatHex(CellUtil.cloneRow(cell)));
        }
        for (String key : found) keys.append(key).append('\n');
        connection.rollback();
      }
    }
    System.out.print(keys);
    System.out.flush();
  }
}
