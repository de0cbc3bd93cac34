package io.saltplan.hive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.UDFHex;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * Ranges of keys as a condition of Hive on {@code hex(key)}, which sorts like the bytes of every key. The functions are named by
 * their classes, because a session can give their names to others.
 */
final class RangeCondition {
  private final ExprNodeDesc hex;

  private RangeCondition(ExprNodeDesc hex) {
    this.hex = hex;
  }

  /** The keys, joined with the filter from which they were planned. */
  static ExprNodeDesc and(KeySet keys, KeyColumn key, ExprNodeDesc filter) {
    ExprNodeDesc column = new ExprNodeColumnDesc(key.type(), key.name(), tableAlias(filter), false);
    GenericUDF function = new GenericUDFBridge("hex", false, UDFHex.class.getName());
    RangeCondition condition = new RangeCondition(call(TypeInfoFactory.stringTypeInfo, function, column));
    return call(new GenericUDFOPAnd(), condition.any(keys.ranges()), filter);
  }

  private ExprNodeDesc any(List<KeyRange> ranges) {
    // Below every text: no row.
    if (ranges.isEmpty()) return below("");
    ExprNodeDesc[] each = new ExprNodeDesc[ranges.size()];
    for (int i = 0; i < each.length; i++) each[i] = one(ranges.get(i));
    return each.length == 1 ? each[0] : call(new EitherRange(), each);
  }

  private ExprNodeDesc one(KeyRange range) {
    String start = text(range.start());
    String stop = text(range.hbaseStop());
    if (stop.isEmpty()) return from(start);
    return start.isEmpty() ? below(stop) : call(new GenericUDFOPAnd(), from(start), below(stop));
  }

  private ExprNodeDesc from(String start) {
    return call(new GenericUDFOPEqualOrGreaterThan(), hex, constant(start));
  }

  private ExprNodeDesc below(String stop) {
    return call(new GenericUDFOPLessThan(), hex, constant(stop));
  }

  /** As {@code hex} writes it. */
  private static String text(byte[] key) {
    return FilterJson.hex(key).toUpperCase(Locale.ROOT);
  }

  private static ExprNodeDesc constant(String text) {
    return new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, text);
  }

  private static ExprNodeDesc call(GenericUDF function, ExprNodeDesc... children) {
    return call(TypeInfoFactory.booleanTypeInfo, function, children);
  }

  private static ExprNodeDesc call(TypeInfo type, GenericUDF function, ExprNodeDesc... children) {
    return new ExprNodeGenericFuncDesc(type, function, new ArrayList<>(Arrays.asList(children)));
  }

  private static String tableAlias(ExprNodeDesc filter) {
    Deque<ExprNodeDesc> open = new ArrayDeque<>();
    open.push(filter);
    while (!open.isEmpty()) {
      ExprNodeDesc node = open.pop();
      if (node instanceof ExprNodeColumnDesc) return ((ExprNodeColumnDesc) node).getTabAlias();
      if (node.getChildren() != null) node.getChildren().forEach(open::push);
    }
    return null;
  }
}
