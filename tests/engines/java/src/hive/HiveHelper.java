import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.SerDeUtils;

/**
 * One Hive session that lives as long as stdin.
 *
 * <ul>
 *   <li>script: statements, split and run as `hive -f` does; answers with what Hive printed
 *   <li>query: one statement; answers with its rows, each a line of {@link RowFormatter}
 *   <li>structure: statements without running them; see {@link Structure}
 *   <li>reset: forgets all SETs. RESET alone keeps the settings that have no default
 * </ul>
 */
public class HiveHelper {
  private final HiveConf conf;
  private final Scripts scripts;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private HiveHelper() throws Exception {
    conf = new HiveConf(SessionState.class);
    scripts = new Scripts(conf, new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  public static void main(String[] args) throws Exception {
    Frames frames = new Frames();
    HiveHelper helper = new HiveHelper();
    frames.serve(helper::answer);
  }

  private String answer(String verb, String body) throws Exception {
    printed.reset();
    switch (verb) {
      case "script":
        return script(body);
      case "query":
        return query(body);
      case "reset":
        return reset();
      case "structure":
        return Structure.of(body);
      default:
        throw new Frames.Failure("no such verb: " + verb);
    }
  }

  private String script(String text) throws Exception {
    try {
      scripts.run(text);
    } catch (Frames.Failure failure) {
      throw new Frames.Failure(failure.getMessage() + ": " + printed.toString(StandardCharsets.UTF_8));
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  private String reset() throws Exception {
    SessionState session = SessionState.get();
    List<String> set = new ArrayList<>(session.getOverriddenConfigurations().keySet());
    String output = script("reset;\n");
    HiveConf defaults = new HiveConf();
    for (String name : set) if (defaults.get(name) == null) session.getConf().unset(name);
    return output;
  }

  private String query(String statement) throws Exception {
    conf.set(SerDeUtils.LIST_SINK_OUTPUT_FORMATTER, RowFormatter.class.getName());
    try {
      List<String> rows = new ArrayList<>();
      Queries.run(conf, statement, rows);
      return String.join("\n", rows) + (rows.isEmpty() ? "" : "\n");
    } finally {
      conf.unset(SerDeUtils.LIST_SINK_OUTPUT_FORMATTER);
    }
  }
}
