package io.saltplan.hive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.UDFHex;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualNS;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * Computes the row keys that can satisfy a condition of Hive. The set contains the key of every row that satisfies the
 * condition; a condition that is not understood gives all keys. Conditions below NOT also give all keys, because there a set
 * that is too large would become one that is too small.
 */
final class Condition {
  private final KeyColumn key;

  private Condition(KeyColumn key) {
    this.key = key;
  }

  static KeySet keys(ExprNodeDesc condition, KeyColumn key) {
    return new Condition(key).keys(condition);
  }

  private KeySet keys(ExprNodeDesc node) {
    if (node instanceof ExprNodeConstantDesc) {
      return Boolean.FALSE.equals(((ExprNodeConstantDesc) node).getValue()) ? KeySet.NONE : KeySet.ALL;
    }
    if (!(node instanceof ExprNodeGenericFuncDesc)) return KeySet.ALL;
    GenericUDF function = ((ExprNodeGenericFuncDesc) node).getGenericUDF();
    // Functions derived from these may mean something else.
    Class<?> kind = function.getClass();
    if (kind == EitherRange.class) return anyOf(node.getChildren());
    if (kind == GenericUDFOPOr.class) return anyOf(operands(node, GenericUDFOPOr.class));
    if (kind == GenericUDFOPAnd.class) return allOf(operands(node, GenericUDFOPAnd.class));
    List<ExprNodeDesc> children = node.getChildren();
    if (kind == GenericUDFIn.class) return in(children);
    if (kind == GenericUDFBetween.class) return between(children);
    Comparison comparison = Comparison.of(kind);
    if (comparison == null || children.size() != 2) return KeySet.ALL;
    KeySet direct = compare(children.get(0), comparison, children.get(1));
    return direct == null ? orAll(compare(children.get(1), comparison.turned(), children.get(0))) : direct;
  }

  /** All operands of nested ANDs or ORs, found without recursion: in Hive 2 thousands of ranges are thousands of levels. */
  private static List<ExprNodeDesc> operands(ExprNodeDesc chain, Class<?> function) {
    List<ExprNodeDesc> operands = new ArrayList<>();
    Deque<ExprNodeDesc> open = new ArrayDeque<>();
    open.push(chain);
    while (!open.isEmpty()) {
      ExprNodeDesc node = open.pop();
      boolean isChain =
          node instanceof ExprNodeGenericFuncDesc
              && ((ExprNodeGenericFuncDesc) node).getGenericUDF().getClass() == function;
      if (isChain) {
        for (ExprNodeDesc child : node.getChildren()) open.push(child);
      } else {
        operands.add(node);
      }
    }
    return operands;
  }

  private KeySet anyOf(List<ExprNodeDesc> operands) {
    List<KeyRange> ranges = new ArrayList<>();
    for (ExprNodeDesc operand : operands) {
      KeySet keys = keys(operand);
      if (keys.isAll()) return KeySet.ALL;
      ranges.addAll(keys.ranges());
    }
    return KeySet.ofAny(ranges);
  }

  private KeySet allOf(List<ExprNodeDesc> operands) {
    KeySet all = KeySet.ALL;
    for (ExprNodeDesc operand : operands) all = all.and(keys(operand));
    return all;
  }

  /** The operands are the key and the values of the list. */
  private KeySet in(List<ExprNodeDesc> children) {
    List<KeyRange> ranges = new ArrayList<>();
    for (ExprNodeDesc child : children.subList(1, children.size())) {
      KeySet keys = compare(children.get(0), Comparison.EQUAL, child);
      if (keys == null || keys.isAll()) return KeySet.ALL;
      ranges.addAll(keys.ranges());
    }
    return KeySet.ofAny(ranges);
  }

  /** The operands are: whether it is NOT BETWEEN, the key, the two bounds. */
  private KeySet between(List<ExprNodeDesc> children) {
    if (children.size() != 4 || !(children.get(0) instanceof ExprNodeConstantDesc)) return KeySet.ALL;
    if (!Boolean.FALSE.equals(((ExprNodeConstantDesc) children.get(0)).getValue())) return KeySet.ALL;
    KeySet from = orAll(compare(children.get(1), Comparison.AT_LEAST, children.get(2)));
    return from.and(orAll(compare(children.get(1), Comparison.AT_MOST, children.get(3))));
  }

  private static KeySet orAll(KeySet keys) {
    return keys == null ? KeySet.ALL : keys;
  }

  /** Null unless the key is compared with a text. */
  private KeySet compare(ExprNodeDesc left, Comparison comparison, ExprNodeDesc right) {
    KeyText text = keyText(left);
    String constant = text(right);
    return text == null || constant == null ? null : comparison.keys(text, constant);
  }

  private KeyText keyText(ExprNodeDesc node) {
    if (isKey(node)) return key.isString() ? KeyText.PLAIN : null;
    if (!(node instanceof ExprNodeGenericFuncDesc)) return null;
    GenericUDF function = ((ExprNodeGenericFuncDesc) node).getGenericUDF();
    boolean isHex =
        function instanceof GenericUDFBridge
            && UDFHex.class.getName().equals(((GenericUDFBridge) function).getUdfClassName())
            && node.getChildren().size() == 1;
    return isHex && isKey(node.getChildren().get(0)) ? KeyText.HEX : null;
  }

  private boolean isKey(ExprNodeDesc node) {
    return node instanceof ExprNodeColumnDesc
        && !((ExprNodeColumnDesc) node).getIsPartitionColOrVirtualCol()
        && key.name().equalsIgnoreCase(((ExprNodeColumnDesc) node).getColumn());
  }

  /** The value of a constant of type string; null for any other expression. */
  private static String text(ExprNodeDesc node) {
    if (!(node instanceof ExprNodeConstantDesc)) return null;
    if (!TypeInfoFactory.stringTypeInfo.equals(node.getTypeInfo())) return null;
    Object value = ((ExprNodeConstantDesc) node).getValue();
    return value instanceof String ? (String) value : null;
  }

  private enum Comparison {
    AT_LEAST,
    ABOVE,
    AT_MOST,
    BELOW,
    EQUAL;

    static Comparison of(Class<?> function) {
      if (function == GenericUDFOPEqualOrGreaterThan.class) return AT_LEAST;
      if (function == GenericUDFOPGreaterThan.class) return ABOVE;
      if (function == GenericUDFOPEqualOrLessThan.class) return AT_MOST;
      if (function == GenericUDFOPLessThan.class) return BELOW;
      if (function == GenericUDFOPEqual.class || function == GenericUDFOPEqualNS.class) return EQUAL;
      return null;
    }

    /** The comparison with its sides exchanged. */
    Comparison turned() {
      switch (this) {
        case AT_LEAST:
          return AT_MOST;
        case ABOVE:
          return BELOW;
        case AT_MOST:
          return AT_LEAST;
        case BELOW:
          return ABOVE;
        default:
          return EQUAL;
      }
    }

    KeySet keys(KeyText key, String text) {
      switch (this) {
        case AT_LEAST:
          return key.atLeast(text);
        case ABOVE:
          return key.above(text);
        case AT_MOST:
          return key.atMost(text);
        case BELOW:
          return key.below(text);
        default:
          return key.equalTo(text);
      }
    }
  }
}
