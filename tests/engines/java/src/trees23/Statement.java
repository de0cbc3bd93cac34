import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.Context;
import org.apache.hadoop.hive.ql.parse.ParseDriver;

/** The tree of a statement, by Hive 2 or 3. */
final class Statement {
  private final Context context;

  Statement() throws Exception {
    HiveConf configuration = new HiveConf();
    // Places for results, which no parser writes; without them it would need a session.
    configuration.set("_hive.hdfs.session.path", "unused");
    configuration.set("_hive.local.session.path", "unused");
    context = new Context(configuration);
  }

  Tree parse(String text) throws Exception {
    return new ParseDriver().parse(text, context);
  }
}
