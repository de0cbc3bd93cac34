import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.processors.CommandProcessorException;
import org.apache.hadoop.hive.ql.processors.CommandProcessorFactory;

/** Runs one statement and collects its rows, through the classes of Hive 4. */
final class Queries {
  private Queries() {}

  static void run(HiveConf conf, String statement, List<String> rows) throws Exception {
    IDriver driver = (IDriver) CommandProcessorFactory.get(new String[] {statement.trim().split("\\s+")[0]}, conf);
    try {
      driver.run(statement);
      List<Object> batch = new ArrayList<>();
      while (driver.getResults(batch)) {
        for (Object row : batch) rows.add(String.valueOf(row));
        batch.clear();
      }
    } catch (CommandProcessorException error) {
      throw new Frames.Failure(message(error));
    } finally {
      driver.close();
    }
  }

  /** The message of Hive, which may be in the cause. */
  static String message(CommandProcessorException error) {
    return error.getMessage() != null ? error.getMessage() : String.valueOf(error.getCause());
  }
}
