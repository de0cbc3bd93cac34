package io.saltplan.hive;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveIntervalDayTime;
import org.apache.hadoop.hive.common.type.HiveIntervalYearMonth;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFTimestamp;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/**
 * A condition of Hive as JSON. Functions are named by their class, because a session can give the name of a built-in function to
 * another one, and constants are written with their type and value, because Hive's own text of an expression does not escape
 * quotes. What is not surely known is written as {@code other}, which the planner takes for any value.
 */
final class FilterJson {
  /** The planner reads 500 levels; a level of the tree has two of them, one for the arguments. */
  private static final int MAX_DEPTH = 200;

  private static final char[] DIGITS = "0123456789abcdef".toCharArray();

  private static final Pattern DATE = Pattern.compile("(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern TIMESTAMP =
      Pattern.compile(DATE.pattern() + " [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?");

  private final StringBuilder out;
  private final int maxLength;

  private FilterJson(StringBuilder out, int maxLength) {
    this.out = out;
    this.maxLength = maxLength;
  }

  /** Appends the condition. */
  static void write(StringBuilder out, ExprNodeDesc condition, int maxLength) throws TooLarge {
    new FilterJson(out, maxLength).node(condition, 0);
  }

  /** The text is longer than the planner reads. */
  static final class TooLarge extends Exception {
    private static final long serialVersionUID = 1;
  }

  private void node(ExprNodeDesc node, int depth) throws TooLarge {
    // Checked here, because a tree with shared parts may be much longer as text.
    if (out.length() > maxLength) throw new TooLarge();
    if (node instanceof ExprNodeColumnDesc) {
      column((ExprNodeColumnDesc) node);
    } else if (node instanceof ExprNodeConstantDesc) {
      constant((ExprNodeConstantDesc) node);
    } else if (node instanceof ExprNodeGenericFuncDesc && depth < MAX_DEPTH) {
      call((ExprNodeGenericFuncDesc) node, depth);
    } else {
      other(node);
    }
    if (out.length() > maxLength) throw new TooLarge();
  }

  private void column(ExprNodeColumnDesc column) {
    if (column.getIsPartitionColOrVirtualCol()) {
      other(column);
      return;
    }
    out.append("{\"column\": ");
    Json.write(out, column.getColumn());
    type(column);
  }

  private void other(ExprNodeDesc node) {
    out.append("{\"other\": ");
    Json.write(out, node.getClass().getName());
    type(node);
  }

  private void type(ExprNodeDesc node) {
    out.append(", \"type\": ");
    Json.write(out, node.getTypeInfo() == null ? "unknown" : node.getTypeInfo().getTypeName());
    out.append('}');
  }

  private void call(ExprNodeGenericFuncDesc call, int depth) throws TooLarge {
    GenericUDF function = call.getGenericUDF();
    if (function == null || dependsOnSettings(call)) {
      other(call);
      return;
    }
    out.append("{\"call\": ");
    Json.write(out, nameOf(function));
    out.append(", \"arguments\": [");
    List<ExprNodeDesc> arguments = arguments(call);
    for (int i = 0; i < arguments.size(); i++) {
      if (i > 0) out.append(", ");
      node(arguments.get(i), depth + 1);
    }
    out.append(']');
    type(call);
  }

  private static String nameOf(GenericUDF function) {
    boolean isBridge = function.getClass() == GenericUDFBridge.class;
    String bridged = isBridge ? ((GenericUDFBridge) function).getUdfClassName() : null;
    return bridged != null ? bridged : function.getClass().getName();
  }

  /** The session says whether a number is seconds or milliseconds. */
  private static boolean dependsOnSettings(ExprNodeGenericFuncDesc call) {
    if (!(call.getGenericUDF() instanceof GenericUDFTimestamp)) return false;
    for (ExprNodeDesc argument : arguments(call)) {
      TypeInfo type = argument.getTypeInfo();
      if (!(type instanceof PrimitiveTypeInfo)) return true;
      switch (((PrimitiveTypeInfo) type).getPrimitiveCategory()) {
        case STRING:
        case CHAR:
        case VARCHAR:
        case DATE:
        case TIMESTAMP:
          break;
        default:
          return true;
      }
    }
    return false;
  }

  /**
   * For AND and OR those of the whole chain, found without recursion: in Hive 2 thousands of ranges are thousands of levels.
   */
  private static List<ExprNodeDesc> arguments(ExprNodeGenericFuncDesc call) {
    Class<?> function = call.getGenericUDF().getClass();
    List<ExprNodeDesc> children = call.getChildren();
    if (children == null) return Collections.emptyList();
    if (function != GenericUDFOPAnd.class && function != GenericUDFOPOr.class) return children;
    List<ExprNodeDesc> arguments = new ArrayList<>();
    Deque<ExprNodeDesc> open = new ArrayDeque<>();
    open.push(call);
    while (!open.isEmpty()) {
      ExprNodeDesc node = open.pop();
      if (isCallOf(function, node)) {
        List<ExprNodeDesc> parts = node.getChildren();
        for (int i = parts.size() - 1; i >= 0; i--) open.push(parts.get(i));
      } else {
        arguments.add(node);
      }
    }
    return arguments;
  }

  private static boolean isCallOf(Class<?> function, ExprNodeDesc node) {
    if (!(node instanceof ExprNodeGenericFuncDesc)) return false;
    GenericUDF called = ((ExprNodeGenericFuncDesc) node).getGenericUDF();
    return called != null && called.getClass() == function && node.getChildren() != null;
  }

  private void constant(ExprNodeConstantDesc constant) {
    Object value = constant.getValue();
    String text = value == null ? null : text(value, constant.getTypeInfo());
    if (value != null && text == null) {
      other(constant);
      return;
    }
    out.append("{\"constant\": ");
    if (text == null) out.append("null");
    else Json.write(out, text);
    type(constant);
  }

  /** Null if the value is not one of this type, or cannot be written exactly. */
  private static String text(Object value, TypeInfo type) {
    if (!(type instanceof PrimitiveTypeInfo)) return null;
    switch (((PrimitiveTypeInfo) type).getPrimitiveCategory()) {
      case STRING:
        return value instanceof String ? whole((String) value) : null;
      case CHAR:
        return value instanceof HiveChar ? whole(((HiveChar) value).getStrippedValue()) : null;
      case VARCHAR:
        return value instanceof HiveVarchar ? whole(((HiveVarchar) value).getValue()) : null;
      case BOOLEAN:
        return value instanceof Boolean ? value.toString() : null;
      case BYTE:
        return value instanceof Byte ? value.toString() : null;
      case SHORT:
        return value instanceof Short ? value.toString() : null;
      case INT:
        return value instanceof Integer ? value.toString() : null;
      case LONG:
        return value instanceof Long ? value.toString() : null;
      case FLOAT:
        return value instanceof Float ? value.toString() : null;
      case DOUBLE:
        return value instanceof Double ? value.toString() : null;
      case DECIMAL:
        return value instanceof HiveDecimal ? ((HiveDecimal) value).bigDecimalValue().toPlainString() : null;
      case BINARY:
        return value instanceof byte[] ? hex((byte[]) value) : null;
      case DATE:
        return date(value);
      case TIMESTAMP:
        return timestamp(value);
      case INTERVAL_YEAR_MONTH:
        return value instanceof HiveIntervalYearMonth
            ? Integer.toString(((HiveIntervalYearMonth) value).getTotalMonths())
            : null;
      case INTERVAL_DAY_TIME:
        return value instanceof HiveIntervalDayTime ? seconds((HiveIntervalDayTime) value) : null;
      default:
        return null;
    }
  }

  /** Null for text that some bytes are read as, but that does not stand for these bytes alone. */
  private static String whole(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\uFFFD') return null;
      if (!Character.isSurrogate(c)) continue;
      boolean isPair = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
      if (!isPair) return null;
      i++;
    }
    return text;
  }

  static String hex(byte[] bytes) {
    char[] hex = new char[2 * bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      hex[2 * i] = DIGITS[bytes[i] >> 4 & 0xF];
      hex[2 * i + 1] = DIGITS[bytes[i] & 0xF];
    }
    return new String(hex);
  }

  /** A day is a class of Java in Hive 2, whose text loses the era and all but four digits of the year, and one of Hive later. */
  private static String date(Object value) {
    if (value instanceof Date) {
      boolean isText = value.equals(Date.valueOf(value.toString()));
      return isText ? matching(DATE, value.toString()) : null;
    }
    return isOfHive(value, "Date") ? matching(DATE, value.toString()) : null;
  }

  private static String timestamp(Object value) {
    if (value instanceof Timestamp) {
      Timestamp timestamp = (Timestamp) value;
      ZoneId zone = TimeZone.getDefault().toZoneId();
      // An instant, whose local time may be that of another instant, too.
      boolean isOne = zone.getRules().getValidOffsets(timestamp.toLocalDateTime()).size() == 1;
      return isOne && timestamp.equals(Timestamp.valueOf(timestamp.toString()))
          ? matching(TIMESTAMP, timestamp.toString())
          : null;
    }
    return isOfHive(value, "Timestamp") ? matching(TIMESTAMP, value.toString()) : null;
  }

  /** By name, because Hive 2 does not have the class. */
  private static boolean isOfHive(Object value, String name) {
    return value.getClass().getName().equals("org.apache.hadoop.hive.common.type." + name);
  }

  private static String matching(Pattern form, String text) {
    return form.matcher(text).matches() ? text : null;
  }

  private static String seconds(HiveIntervalDayTime interval) {
    return BigDecimal.valueOf(interval.getTotalSeconds()).add(BigDecimal.valueOf(interval.getNanos(), 9)).toPlainString();
  }
}
