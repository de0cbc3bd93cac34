import java.util.List;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInternalInterval;

/**
 * What Hive's check of types makes of conditions. A line of stdin has two fields: columns with their types ({@code x int, s
 * string}), and a condition over them, or any other expression. The answer is the tree: its nodes, children before their parents,
 * each as four fields: kind, type, text, number of children. The text of a {@code column} is its name, that of a {@code constant} its
 * value (see {@link Text}; of the unit of an interval the name of its token), that of a {@code function} the class that computes it, that of a {@code field} the name of the field. Arguments are settings of
 * Hive, such as {@code hive.strict.checks.type.safety=false}.
 */
public class Typed {
  public static void main(String[] args) throws Exception {
    Lines stdout = new Lines();
    Check check = new Check(args);
    stdout.answer(
        fields -> {
          StringBuilder tree = new StringBuilder();
          write(check.check(Lines.unescaped(fields[1]), Check.columns(fields[0])), tree);
          return tree.toString();
        });
  }

  static void write(ExprNodeDesc node, StringBuilder out) throws Exception {
    List<ExprNodeDesc> children = node.getChildren();
    int count = children == null ? 0 : children.size();
    for (int i = 0; i < count; i++) {
      ExprNodeDesc child = children.get(i);
      if (i == 0 && isInterval(node)) node(out, "constant", "int", unit((ExprNodeConstantDesc) child), 0);
      else write(child, out);
    }
    String kind;
    String text;
    if (node instanceof ExprNodeColumnDesc) {
      kind = "column";
      text = ((ExprNodeColumnDesc) node).getColumn();
    } else if (node instanceof ExprNodeConstantDesc) {
      kind = "constant";
      text = constant((ExprNodeConstantDesc) node);
    } else if (node instanceof ExprNodeGenericFuncDesc) {
      kind = "function";
      text = className(((ExprNodeGenericFuncDesc) node).getGenericUDF());
    } else if (node instanceof ExprNodeFieldDesc) {
      kind = "field";
      text = ((ExprNodeFieldDesc) node).getFieldName();
    } else {
      kind = "other";
      text = node.getClass().getName();
    }
    node(out, kind, node.getTypeInfo().getTypeName(), text, count);
  }

  private static void node(StringBuilder out, String kind, String type, String text, int count) {
    if (out.length() > 0) out.append('\t');
    out.append(kind).append('\t').append(type).append('\t').append(text).append('\t').append(count);
  }

  private static boolean isInterval(ExprNodeDesc node) {
    return node instanceof ExprNodeGenericFuncDesc
        && ((ExprNodeGenericFuncDesc) node).getGenericUDF() instanceof GenericUDFInternalInterval;
  }

  /** Its value is the number of a token, which is another one in each Hive. */
  private static String unit(ExprNodeConstantDesc constant) {
    return Trees.TOKENS.get(((Number) constant.getValue()).intValue());
  }

  private static String constant(ExprNodeConstantDesc node) throws Exception {
    return Text.of(node.getWritableObjectInspector().getWritableConstantValue(), node.getWritableObjectInspector());
  }

  static String className(GenericUDF function) {
    return function instanceof GenericUDFBridge ? ((GenericUDFBridge) function).getUdfClassName() : function.getClass().getName();
  }
}
