import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.FetchFormatter;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;

/** Makes a row one line that can be read back exactly: cells between tabs, `\\ \t \n \r` escaped, `\N` for NULL. */
public class RowFormatter implements FetchFormatter<String> {
  @Override
  public void initialize(Configuration conf, Properties properties) {}

  @Override
  public String convert(Object row, ObjectInspector inspector) {
    StructObjectInspector struct = (StructObjectInspector) inspector;
    List<? extends StructField> fields = struct.getAllStructFieldRefs();
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      if (i > 0) line.append('\t');
      StructField field = fields.get(i);
      Object value =
          ObjectInspectorUtils.copyToStandardJavaObject(struct.getStructFieldData(row, field), field.getFieldObjectInspector());
      line.append(value == null ? "\\N" : escape(value.toString()));
    }
    return line.toString();
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
  }

  @Override
  public void close() {}
}
