import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.processors.CommandProcessorFactory;
import org.apache.hadoop.hive.ql.processors.CommandProcessorResponse;

/** Runs one statement and collects its rows, through the classes of Hive 3. */
final class Queries {
  private Queries() {}

  static void run(HiveConf conf, String statement, List<String> rows) throws Exception {
    IDriver driver = (IDriver) CommandProcessorFactory.get(new String[] {statement.trim().split("\\s+")[0]}, conf);
    try {
      CommandProcessorResponse response = driver.run(statement);
      if (response.getResponseCode() != 0) throw new Frames.Failure(response.getErrorMessage());
      List<String> batch = new ArrayList<>();
      while (driver.getResults(batch)) {
        rows.addAll(batch);
        batch.clear();
      }
    } finally {
      driver.close();
    }
  }
}
