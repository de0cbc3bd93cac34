import org.apache.hadoop.hive.serde2.SerDeUtils;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorConverters;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorUtils;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;

/**
 * Values as fields of a line: {@code \N} for NULL (which no escaped text is), binary values as hex digits, lists, maps and structs as
 * JSON, everything else as Java writes it.
 */
final class Text {
  static final String NULL = "\\N";

  private Text() {}

  static String of(Object value, ObjectInspector inspector) {
    if (value == null) return NULL;
    if (!(inspector instanceof PrimitiveObjectInspector)) return Lines.escaped(SerDeUtils.getJSONString(value, inspector));
    Object plain = ObjectInspectorUtils.copyToStandardJavaObject(value, inspector);
    if (plain == null) return NULL;
    if (!(plain instanceof byte[])) return Lines.escaped(plain.toString());
    StringBuilder hex = new StringBuilder();
    for (byte b : (byte[]) plain) hex.append(String.format("%02x", b));
    return hex.toString();
  }

  /** The value that a field says, for an inspector of writable values of this type. */
  static Object read(String field, PrimitiveTypeInfo type) throws Exception {
    if (field.equals(NULL)) return null;
    String text = Lines.unescaped(field);
    Object plain = text;
    ObjectInspector from = PrimitiveObjectInspectorFactory.javaStringObjectInspector;
    if (type.getPrimitiveCategory() == PrimitiveCategory.BINARY) {
      byte[] bytes = new byte[text.length() / 2];
      for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(text.substring(2 * i, 2 * i + 2), 16);
      plain = bytes;
      from = PrimitiveObjectInspectorFactory.javaByteArrayObjectInspector;
    } else if (type.getPrimitiveCategory() == PrimitiveCategory.BOOLEAN) {
      plain = Boolean.parseBoolean(text);
      from = PrimitiveObjectInspectorFactory.javaBooleanObjectInspector;
    }
    Object value =
        ObjectInspectorConverters.getConverter(from, PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type))
            .convert(plain);
    if (value == null) throw new Exception("'" + text + "' is no value of " + type.getTypeName());
    return ObjectInspectorUtils.copyToStandardObject(
        value, PrimitiveObjectInspectorFactory.getPrimitiveWritableObjectInspector(type), ObjectInspectorUtils.ObjectInspectorCopyOption.WRITABLE);
  }
}
