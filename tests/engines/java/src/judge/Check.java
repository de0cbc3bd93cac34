import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.ColumnInfo;
import org.apache.hadoop.hive.ql.lib.Node;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.apache.hadoop.hive.ql.parse.RowResolver;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnListDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Hive's check of the types of an expression over the columns of a table {@code t}, without a metastore and without files. */
final class Check {
  private static final List<Integer> CALLS =
      Arrays.asList(HiveParser.TOK_FUNCTION, HiveParser.TOK_FUNCTIONSTAR, HiveParser.TOK_FUNCTIONDI);

  private final Statement statement = new Statement();
  private final Set<String> functions = new Builtins().byName().keySet();

  /** Settings are those of Hive, and others as {@code NAME=VALUE}. */
  Check(String[] settings) throws Exception {
    HiveConf configuration = new HiveConf();
    for (String setting : settings) configuration.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    // It is only kept, not started: starting it makes folders and asks the metastore. It makes this one.
    configuration.set("hive.downloaded.resources.dir", "session");
    SessionState session = new SessionState(configuration);
    SessionState.setCurrentSessionState(session);
    session.setupQueryCurrentTimestamp();
  }

  /** A name and a type. */
  static final class Column {
    final String name;
    final TypeInfo type;

    private Column(String name, TypeInfo type) {
      this.name = name;
      this.type = type;
    }
  }

  /** Reads `name type` with commas and blanks between them. */
  static List<Column> columns(String text) throws Exception {
    List<Column> columns = new ArrayList<>();
    for (String declared : text.isEmpty() ? new String[0] : text.split(", ")) {
      String[] parts = declared.split(" ", 2);
      if (parts.length < 2) throw new Exception("not a name and a type: " + declared);
      columns.add(new Column(parts[0], TypeInfoUtils.getTypeInfoFromTypeString(parts[1])));
    }
    return columns;
  }

  ExprNodeDesc check(String expression, List<Column> columns) throws Exception {
    ASTNode tree = (ASTNode) Trees.condition(statement.parse("SELECT * FROM t WHERE " + expression));
    RowResolver row = new RowResolver();
    for (Column column : columns) row.put("t", column.name, new ColumnInfo(column.name, column.type, "t", false));
    onlyBuiltins(tree);
    ExprNodeDesc checked = TypeCheck.of(tree, row);
    if (checked instanceof ExprNodeColumnListDesc) throw new Exception("not an expression");
    return checked;
  }

  /** Hive would look for other functions in the metastore. */
  private void onlyBuiltins(ASTNode node) throws Exception {
    if (CALLS.contains(node.getType()) && node.getChild(0).getType() == HiveParser.Identifier) {
      String name = node.getChild(0).getText().replace("`", "").toLowerCase(Locale.ROOT);
      if (!functions.contains(name)) throw new Exception("no built-in function '" + name + "'");
    }
    if (node.getChildren() != null) for (Node child : node.getChildren()) onlyBuiltins((ASTNode) child);
  }
}
