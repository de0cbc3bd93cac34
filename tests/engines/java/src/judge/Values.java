import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;

/**
 * Values of expressions as Hive evaluates them row by row. A line of stdin has columns with their types ({@code x int, s string}, or
 * nothing), an expression, and rows: as many fields for each as there are columns. The answer has the type of the expression, and
 * its value for each row, or its one value if there are no columns (see {@link Text}); a row that fails gives {@code \!} and the
 * message. Arguments are settings of Hive: {@code hive.local.time.zone=Asia/Shanghai} is the time zone of the session; that of the
 * process is TZ, and that of the session too if it is not set.
 */
public class Values {
  public static void main(String[] args) throws Exception {
    Lines stdout = new Lines();
    Check check = new Check(args);
    stdout.answer(fields -> answer(check, fields));
  }

  private static String answer(Check check, String[] fields) throws Exception {
    List<Check.Column> columns = Check.columns(fields[0]);
    List<String> names = new ArrayList<>();
    List<ObjectInspector> inspectors = new ArrayList<>();
    for (Check.Column column : columns) {
      names.add(column.name);
      inspectors.add(PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector((PrimitiveTypeInfo) column.type));
    }
    ExprNodeEvaluator<?> evaluator = ExprNodeEvaluatorFactory.get(check.check(Lines.unescaped(fields[1]), columns));
    ObjectInspector row = ObjectInspectorFactory.getStandardStructObjectInspector(names, inspectors);
    ObjectInspector result = evaluator.initialize(row);
    StringBuilder answer = new StringBuilder(result.getTypeName());
    int width = columns.size();
    int rows = width == 0 ? 1 : (fields.length - 2) / width;
    if (rows * width != fields.length - 2) throw new Exception("the last row has too few fields");
    for (int i = 0; i < rows; i++) {
      List<Object> values = new ArrayList<>();
      for (int j = 0; j < width; j++) values.add(Text.read(fields[2 + i * width + j], (PrimitiveTypeInfo) columns.get(j).type));
      answer.append('\t');
      try {
        answer.append(Text.of(evaluator.evaluate(values), result));
      } catch (Exception | Error error) {
        answer.append("\\!").append(Lines.escaped(Lines.message(error)));
      }
    }
    return answer.toString();
  }
}
