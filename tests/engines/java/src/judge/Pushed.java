import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.ExplainTask;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.parse.AbstractSemanticAnalyzerHook;
import org.apache.hadoop.hive.ql.parse.HiveSemanticAnalyzerHookContext;
import org.apache.hadoop.hive.ql.parse.ParseContext;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.session.SessionState;

/**
 * Which filter Hive's optimizer pushes down to each scan of a table. A line of stdin is a statement. The answer to a query is its
 * scans, each as a field with the name of the table, one with the number of nodes of the filter, and the nodes as in {@link Typed};
 * a scan without a filter has none. Another statement is run; its answer is empty. Nothing is read: the tables stay empty, and the
 * metastore is in memory.
 */
public class Pushed {
  public static void main(String[] args) throws Exception {
    Lines stdout = new Lines();
    HiveConf configuration = configuration(Paths.get("").toAbsolutePath());
    SessionState.start(new SessionState(configuration));
    stdout.answer(fields -> answer(configuration, Lines.unescaped(fields[0])));
    // Hive leaves threads behind.
    System.exit(0);
  }

  private static HiveConf configuration(Path folder) {
    HiveConf configuration = new HiveConf();
    configuration.set("javax.jdo.option.ConnectionURL", "jdbc:derby:memory:pushed;create=true");
    configuration.set("hive.metastore.schema.verification", "false");
    configuration.set("datanucleus.schema.autoCreateAll", "true");
    configuration.set("hive.metastore.event.db.notification.api.auth", "false");
    configuration.set("hive.notification.event.poll.interval", "0");
    configuration.set("hive.metastore.warehouse.dir", "file://" + folder.resolve("warehouse"));
    configuration.set("hive.exec.scratchdir", "file://" + folder.resolve("scratch"));
    configuration.set("hive.exec.local.scratchdir", folder.resolve("local").toString());
    configuration.set("hive.downloaded.resources.dir", folder.resolve("local").toString());
    configuration.set("hadoop.tmp.dir", folder.resolve("hadoop").toString());
    configuration.set("fs.defaultFS", "file:///");
    configuration.set("mapreduce.framework.name", "local");
    configuration.set("hive.execution.engine", "mr");
    configuration.set("hive.stats.autogather", "false");
    configuration.set("hive.mapred.mode", "nonstrict");
    configuration.set("hive.strict.checks.cartesian.product", "false");
    // Without it a native table has its filter only in an operator of its own.
    configuration.set("hive.optimize.index.filter", "true");
    // Hive 4 makes tables of WITH queries that are read several times.
    configuration.set("hive.optimize.cte.materialize.threshold", "-1");
    configuration.set("hive.semantic.analyzer.hook", Hook.class.getName());
    return configuration;
  }

  private static String answer(HiveConf configuration, String statement) throws Exception {
    Hook.explained = null;
    boolean isQuery = !statement.regionMatches(true, 0, "CREATE", 0, 6);
    Queries.run(configuration, (isQuery ? "EXPLAIN " : "") + statement, new ArrayList<>());
    if (!isQuery) return "";
    if (Hook.explained == null) throw new Exception("Hive has made no plan");
    StringBuilder scans = new StringBuilder();
    for (TableScanOperator scan : Hook.explained.getTopOps().values()) {
      ExprNodeDesc filter = scan.getConf().getFilterExpr();
      StringBuilder tree = new StringBuilder();
      if (filter != null) Typed.write(filter, tree);
      int nodes = filter == null ? 0 : (int) (tree.chars().filter(c -> c == '\t').count() + 1) / 4;
      if (scans.length() > 0) scans.append('\t');
      scans.append(scan.getConf().getTableMetadata().getTableName()).append('\t').append(nodes);
      if (nodes > 0) scans.append('\t').append(tree);
    }
    return scans.toString();
  }

  /** Gets the plan of an EXPLAIN. */
  public static class Hook extends AbstractSemanticAnalyzerHook {
    static ParseContext explained;

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public void postAnalyze(HiveSemanticAnalyzerHookContext context, List tasks) {
      for (Object task : tasks) {
        if (task instanceof ExplainTask) explained = ((ExplainTask) task).getWork().getParseContext();
      }
    }
  }
}
