import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.common.io.SessionStream;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.IDriver;
import org.apache.hadoop.hive.ql.processors.CommandProcessor;
import org.apache.hadoop.hive.ql.processors.CommandProcessorException;
import org.apache.hadoop.hive.ql.processors.CommandProcessorFactory;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hive.common.util.HiveStringUtils;

/** Runs scripts. The clients of Hive 4 are not published as artifacts, so the statements are split here. */
final class Scripts {
  private final HiveConf conf;
  private final PrintStream out;

  Scripts(HiveConf conf, PrintStream out) {
    this.conf = conf;
    this.out = out;
    SessionState session = new SessionState(conf);
    session.out = new SessionStream(out);
    session.info = session.out;
    session.err = session.out;
    session.setIsSilent(true);
    SessionState.start(session);
  }

  void run(String text) throws Exception {
    for (String statement : split(HiveStringUtils.removeComments(text))) {
      String[] words = statement.split("\\s+");
      CommandProcessor processor = CommandProcessorFactory.get(words, conf);
      try {
        if (processor instanceof IDriver) {
          List<String> rows = new ArrayList<>();
          Queries.run(conf, statement, rows);
          rows.forEach(out::println);
        } else {
          processor.run(statement.substring(words[0].length()).trim());
        }
      } catch (CommandProcessorException error) {
        throw new Frames.Failure(Queries.message(error));
      } finally {
        processor.close();
      }
    }
  }

  /** The statements between the semicolons that are not in a literal or a quoted name. */
  private static List<String> split(String text) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ';' && quote == 0) {
        statements.add(statement.toString().trim());
        statement.setLength(0);
        continue;
      }
      statement.append(c);
      if (quote == 0) {
        if (c == '\'' || c == '"' || c == '`') quote = c;
      } else if (c == '\\' && quote != '`' && i + 1 < text.length()) {
        statement.append(text.charAt(++i));
      } else if (c == quote) {
        quote = 0;
      }
    }
    statements.add(statement.toString().trim());
    statements.removeIf(String::isEmpty);
    return statements;
  }
}
