import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.parse.ParseDriver;

/** The tree of a statement, by Hive 4. */
final class Statement {
  private final HiveConf configuration = new HiveConf();

  Tree parse(String text) throws Exception {
    return new ParseDriver().parse(text, configuration).getTree();
  }
}
