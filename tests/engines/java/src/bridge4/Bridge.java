import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.hbase.HBaseStorageHandler;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import io.saltplan.hive.RangesStorageHandler;

/**
 * Storage handlers of Hive 3.1.3 for Hive 4, whose own one is not published as an artifact. Hive 4 prepares a SerDe by a method with
 * three arguments, which that of Hive 3 does not have.
 */
public final class Bridge {
  private Bridge() {}

  public static class SerDe extends HBaseSerDe {
    public SerDe() throws SerDeException {}

    @Override
    public void initialize(Configuration conf, Properties table, Properties partition) throws SerDeException {
      Properties all = new Properties();
      all.putAll(table);
      if (partition != null) all.putAll(partition);
      initialize(conf, all);
    }
  }

  public static class Plain extends HBaseStorageHandler {
    @Override
    public Class<? extends AbstractSerDe> getSerDeClass() {
      return SerDe.class;
    }
  }

  public static class Ranges extends RangesStorageHandler {
    @Override
    public Class<? extends AbstractSerDe> getSerDeClass() {
      return SerDe.class;
    }
  }
}
