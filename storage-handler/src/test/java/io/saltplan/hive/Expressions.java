package io.saltplan.hive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** Conditions as text, made into what Hive's compiler hands to a storage handler. */
final class Expressions {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*(?:'((?:[^'])*)'|([0-9]+)|([A-Za-z_]+)|(>=|<=|<>|[<>=(),]))");

  private final List<String> tokens = new ArrayList<>();
  private int next;

  static ExprNodeDesc parse(String text) throws Exception {
    Expressions expressions = new Expressions();
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      expressions.tokens.add(matcher.group(1) != null ? "'" + matcher.group(1) : matcher.group().trim());
      end = matcher.end();
    }
    ExprNodeDesc node = expressions.or();
    if (expressions.next != expressions.tokens.size() || end != text.length()) {
      throw new IllegalArgumentException("cannot read: " + text);
    }
    return node;
  }

  static ExprNodeDesc column(String name) {
    return new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, name, "t", false);
  }

  static ExprNodeDesc text(String value) {
    return new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, value);
  }

  static ExprNodeDesc call(String function, ExprNodeDesc... children) throws Exception {
    return ExprNodeGenericFuncDesc.newInstance(
        FunctionRegistry.getFunctionInfo(function).getGenericUDF(), new ArrayList<>(Arrays.asList(children)));
  }

  private ExprNodeDesc or() throws Exception {
    ExprNodeDesc node = and();
    while (take("OR")) node = call("or", node, and());
    return node;
  }

  private ExprNodeDesc and() throws Exception {
    ExprNodeDesc node = not();
    while (take("AND")) node = call("and", node, not());
    return node;
  }

  private ExprNodeDesc not() throws Exception {
    if (take("NOT")) return call("not", not());
    if (take("(")) {
      ExprNodeDesc node = or();
      need(")");
      return node;
    }
    ExprNodeDesc left = operand();
    boolean negated = take("NOT");
    if (take("IN")) {
      need("(");
      List<ExprNodeDesc> children = new ArrayList<>(Collections.singletonList(left));
      do children.add(operand());
      while (take(","));
      need(")");
      ExprNodeDesc in = call("in", children.toArray(new ExprNodeDesc[0]));
      return negated ? call("not", in) : in;
    }
    if (take("BETWEEN")) {
      ExprNodeDesc from = operand();
      need("AND");
      ExprNodeDesc not = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, negated);
      return call("between", not, left, from, operand());
    }
    return call(tokens.get(next++), left, operand());
  }

  private ExprNodeDesc operand() throws Exception {
    String token = tokens.get(next++);
    if (token.startsWith("'")) return text(token.substring(1));
    if (Character.isDigit(token.charAt(0))) {
      return new ExprNodeConstantDesc(TypeInfoFactory.intTypeInfo, Integer.valueOf(token));
    }
    if (!take("(")) return column(token);
    List<ExprNodeDesc> children = new ArrayList<>();
    do children.add(operand());
    while (take(","));
    need(")");
    return call(token, children.toArray(new ExprNodeDesc[0]));
  }

  private boolean take(String token) {
    boolean isNext = next < tokens.size() && tokens.get(next).equals(token);
    if (isNext) next++;
    return isNext;
  }

  private void need(String token) {
    if (!take(token)) throw new IllegalArgumentException("expected " + token + " at " + tokens.subList(next, tokens.size()));
  }
}
