import java.io.BufferedReader;
import java.io.PrintStream;
import java.io.StringReader;
import org.apache.hadoop.hive.cli.CliDriver;
import org.apache.hadoop.hive.cli.CliSessionState;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.session.SessionState;

/** Splits and runs scripts as `hive -f` does. */
final class Scripts {
  private final CliDriver cli;

  Scripts(HiveConf conf, PrintStream out) {
    CliSessionState session = new CliSessionState(conf);
    session.in = System.in;
    session.out = out;
    session.info = out;
    session.err = out;
    session.setIsSilent(true);
    SessionState.start(session);
    cli = new CliDriver();
  }

  void run(String text) throws Exception {
    int code = cli.processReader(new BufferedReader(new StringReader(text)));
    if (code != 0) throw new Frames.Failure("exit code " + code);
  }
}
