import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.MultiTableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** Reads a table with the class that {@code saltplan generate reader --lang java} printed, in each way that it offers. */
class Reader {
  private final Connection connection;
  private final TableName table;

  Reader(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
  }

  List<String> read(String folder, String name, String way) throws Exception {
    List<String> keys = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {Path.of(folder).toUri().toURL()}, Reader.class.getClassLoader())) {
      Class<?> program = loader.loadClass(name);
      Method matches = program.getMethod("matches", Result.class);
      Consumer<Result> all = row -> keys.add(Bytes.toHex(row.getRow()));
      Consumer<Result> rows = row -> {
        if (isTrue(matches, row)) all.accept(row);
      };
      switch (way) {
        case "read":
          program.getMethod("read", Connection.class, Consumer.class).invoke(null, connection, all);
          break;
        case "scans":
          for (Scan scan : scans(program)) scan(scan, rows);
          break;
        case "one_scan":
          Optional<?> one = (Optional<?>) program.getMethod("oneScan").invoke(null);
          if (one.isPresent()) scan((Scan) one.get(), rows);
          break;
        case "mapreduce":
          mapReduce(scans(program), rows);
          break;
        default:
          throw new Frames.Failure("no such way to read: " + way);
      }
    }
    return keys;
  }

  private static boolean isTrue(Method matches, Result row) {
    try {
      return (Boolean) matches.invoke(null, row);
    } catch (ReflectiveOperationException error) {
      throw new IllegalStateException(error);
    }
  }

  private static List<Scan> scans(Class<?> program) throws Exception {
    List<Scan> scans = new ArrayList<>();
    for (Object scan : (List<?>) program.getMethod("scans").invoke(null)) scans.add((Scan) scan);
    return scans;
  }

  private void scan(Scan scan, Consumer<Result> rows) throws Exception {
    try (Table opened = connection.getTable(table);
        ResultScanner results = opened.getScanner(scan)) {
      for (Result row : results) rows.accept(row);
    }
  }

  /** The splits and record readers that a job of MapReduce or Spark would have. The format refuses an empty list. */
  private void mapReduce(List<Scan> scans, Consumer<Result> rows) throws Exception {
    if (scans.isEmpty()) return;
    List<String> written = new ArrayList<>();
    for (Scan scan : scans) written.add(TableMapReduceUtil.convertScanToString(scan));
    Configuration configuration = new Configuration(connection.getConfiguration());
    configuration.setStrings(MultiTableInputFormat.SCANS, written.toArray(new String[0]));
    MultiTableInputFormat format = new MultiTableInputFormat();
    format.setConf(configuration);
    TaskAttemptContext task = new TaskAttemptContextImpl(configuration, new TaskAttemptID());
    for (InputSplit split : format.getSplits(Job.getInstance(configuration))) {
      try (RecordReader<ImmutableBytesWritable, Result> reader = format.createRecordReader(split, task)) {
        reader.initialize(split, task);
        while (reader.nextKeyValue()) rows.accept(reader.getCurrentValue());
      }
    }
  }
}
