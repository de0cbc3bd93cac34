import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.RowResolver;
import org.apache.hadoop.hive.ql.parse.TypeCheckCtx;
import org.apache.hadoop.hive.ql.parse.TypeCheckProcFactory;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** The check of Hive 2 and 3, as their analyzer calls it for a WHERE. */
final class TypeCheck {
  private TypeCheck() {}

  static ExprNodeDesc of(ASTNode tree, RowResolver row) throws Exception {
    TypeCheckCtx context = new TypeCheckCtx(row);
    ExprNodeDesc checked = TypeCheckProcFactory.genExprNode(tree, context).get(tree);
    if (checked == null) throw new Exception(String.valueOf(context.getError()));
    return checked;
  }
}
