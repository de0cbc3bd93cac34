package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.TimeZone;
import org.apache.hadoop.hive.common.type.HiveChar;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.HiveIntervalDayTime;
import org.apache.hadoop.hive.common.type.HiveIntervalYearMonth;
import org.apache.hadoop.hive.common.type.HiveVarchar;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFTimestamp;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.junit.Test;

public class FilterJsonTest {
  private static final String GENERIC = "org.apache.hadoop.hive.ql.udf.generic.GenericUDF";

  private static String json(ExprNodeDesc node) throws Exception {
    StringBuilder out = new StringBuilder();
    FilterJson.write(out, node, PlanRequest.MAX_LENGTH);
    return out.toString();
  }

  private static ExprNodeDesc constant(String type, Object value) {
    return new ExprNodeConstantDesc(TypeInfoUtils.getTypeInfoFromTypeString(type), value);
  }

  private static void assertConstant(String type, String written, Object value) throws Exception {
    assertEquals("{\"constant\": " + written + ", \"type\": \"" + type + "\"}", json(constant(type, value)));
  }

  private static void assertUnknown(String type, Object value) throws Exception {
    assertTrue(json(constant(type, value)), json(constant(type, value)).startsWith("{\"other\": "));
  }

  @Test
  public void aComparison() throws Exception {
    assertEquals(
        "{\"call\": \"" + GENERIC + "OPEqual\", \"arguments\": [{\"call\": \"org.apache.hadoop.hive.ql.udf.UDFHex\", "
            + "\"arguments\": [{\"column\": \"key\", \"type\": \"string\"}], \"type\": \"string\"}, "
            + "{\"constant\": \"61\", \"type\": \"string\"}], \"type\": \"boolean\"}",
        json(Expressions.parse("hex(key) = '61'")));
  }

  @Test
  public void constantsOfEveryType() throws Exception {
    assertConstant("string", "\"a'b\\\"c\\\\\"", "a'b\"c\\");
    assertConstant("string", "\"\\u0000\\u000a\\u007f\\u00e9\\ud83d\\ude00\"", "\0\n\u007f\u00e9\ud83d\ude00");
    assertConstant("string", "null", null);
    assertConstant("char(5)", "\"ab\"", new HiveChar("ab", 5));
    assertConstant("varchar(5)", "\"ab \"", new HiveVarchar("ab ", 5));
    assertConstant("boolean", "\"true\"", true);
    assertConstant("tinyint", "\"-128\"", Byte.MIN_VALUE);
    assertConstant("smallint", "\"-32768\"", Short.MIN_VALUE);
    assertConstant("int", "\"7\"", 7);
    assertConstant("bigint", "\"-9223372036854775808\"", Long.MIN_VALUE);
    assertConstant("float", "\"0.1\"", 0.1f);
    assertConstant("double", "\"1.0E10\"", 1e10);
    assertConstant("double", "\"NaN\"", Double.NaN);
    assertConstant("double", "\"-0.0\"", -0.0);
    assertConstant("decimal(20,2)", "\"100000000000\"", HiveDecimal.create(new BigDecimal("1e11")));
    assertConstant("decimal(5,4)", "\"0.0001\"", HiveDecimal.create(new BigDecimal("0.0001")));
    assertConstant("binary", "\"00ff61\"", new byte[] {0, -1, 0x61});
    assertConstant("interval_year_month", "\"-14\"", new HiveIntervalYearMonth(-1, -2));
    assertConstant("interval_day_time", "\"-1.500000000\"", new HiveIntervalDayTime(0, 0, 0, -1, -500_000_000));
    assertConstant("void", "null", null);
  }

  @Test
  public void datesOfBothKinds() throws Exception {
    assertConstant("date", "\"1995-01-21\"", java.sql.Date.valueOf("1995-01-21"));
    assertConstant("timestamp", "\"1995-01-21 01:02:03.5\"", java.sql.Timestamp.valueOf("1995-01-21 01:02:03.5"));
    assertUnknown("date", new java.sql.Date(253_402_300_800_000L + 86_400_000L)); // its text has a year of four digits
    assertUnknown("date", new java.sql.Date(-99_999_999_999_999L));
    for (String name : new String[] {"Date", "Timestamp"}) {
      try {
        Class<?> kind = Class.forName("org.apache.hadoop.hive.common.type." + name);
        String text = name.equals("Date") ? "1995-01-21" : "1995-01-21 01:02:03";
        Object value = kind.getMethod("valueOf", String.class).invoke(null, text);
        assertConstant(name.toLowerCase(), "\"" + text + "\"", value);
        Object late = kind.getMethod("ofEpochMilli", long.class).invoke(null, 253_402_300_800_000L);
        assertUnknown(name.toLowerCase(), late);
      } catch (ClassNotFoundException e) {
        // Hive 2 has only those of Java.
      }
    }
  }

  @Test
  public void aLocalTimeThatOccursTwiceIsUnknown() throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    try {
      assertUnknown("timestamp", java.sql.Timestamp.valueOf("2020-10-25 02:30:00"));
      assertConstant("timestamp", "\"2020-10-25 03:30:00.0\"", java.sql.Timestamp.valueOf("2020-10-25 03:30:00"));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  public void whatIsNotSurelyKnownIsAnyValue() throws Exception {
    assertUnknown("string", "a\ud83d");
    assertUnknown("string", "\ude00");
    assertUnknown("string", "a\ufffd");
    assertUnknown("int", 7L);
    assertUnknown("string", 7);
    assertUnknown("array<int>", Arrays.asList(1, 2));
    ExprNodeDesc virtual = new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, "key", "t", true);
    assertEquals("{\"other\": \"" + ExprNodeColumnDesc.class.getName() + "\", \"type\": \"string\"}", json(virtual));
    TypeInfo struct = TypeInfoUtils.getTypeInfoFromTypeString("struct<a:string>");
    ExprNodeDesc field =
        new ExprNodeFieldDesc(
            TypeInfoFactory.stringTypeInfo, new ExprNodeColumnDesc(struct, "s", "t", false), "a", false);
    assertEquals("{\"other\": \"" + ExprNodeFieldDesc.class.getName() + "\", \"type\": \"string\"}", json(field));
  }

  /** A session says whether numbers are seconds, and the request does not say which it is. */
  @Test
  public void aTimestampOfANumberIsAnyValue() throws Exception {
    ExprNodeDesc number = new ExprNodeColumnDesc(TypeInfoFactory.intTypeInfo, "n", "t", false);
    for (ExprNodeDesc of : new ExprNodeDesc[] {number, Expressions.column("key")}) {
      ExprNodeDesc cast =
          new ExprNodeGenericFuncDesc(
              TypeInfoFactory.timestampTypeInfo, new GenericUDFTimestamp(), new ArrayList<>(Collections.singletonList(of)));
      assertEquals(of == number, json(cast).startsWith("{\"other\": "));
    }
  }

  public static class NotSubstr extends UDF {
    public String evaluate(String text, int from) {
      return "";
    }
  }

  /** What a session names like a built-in function is sent as what it is. */
  @Test
  public void functionsAreNamedByTheirClass() throws Exception {
    ExprNodeDesc shadow =
        new ExprNodeGenericFuncDesc(
            TypeInfoFactory.stringTypeInfo,
            new GenericUDFBridge("substr", false, NotSubstr.class.getName()),
            new ArrayList<>(Arrays.asList(Expressions.column("key"), constant("int", 2))));
    assertTrue(json(shadow), json(shadow).startsWith("{\"call\": \"" + NotSubstr.class.getName() + "\""));
    String substr = json(Expressions.parse("substr(key, 2) = 'a'"));
    assertTrue(substr, substr.contains("{\"call\": \"org.apache.hadoop.hive.ql.udf.UDFSubstr\""));
  }

  @Test
  public void notBetweenHasItsOwnArgument() throws Exception {
    String between = json(Expressions.parse("key NOT BETWEEN 'a' AND 'b'"));
    String start = "{\"call\": \"" + GENERIC + "Between\", \"arguments\": [{\"constant\": \"true\", \"type\": \"boolean\"}, ";
    assertTrue(between, between.startsWith(start));
  }

  @Test
  public void chainsAreOneCall() throws Exception {
    String chain = json(Expressions.parse("key = 'a' OR key = 'b' OR key = 'c' OR (key = 'd' AND status = 'x' AND key = 'e')"));
    assertEquals(1, chain.split(GENERIC + "OPOr", -1).length - 1);
    assertEquals(1, chain.split(GENERIC + "OPAnd", -1).length - 1);
    assertTrue(chain, chain.matches(".*\"a\".*\"b\".*\"c\".*\"d\".*\"x\".*\"e\".*"));
    ExprNodeDesc any = null;
    for (int i = 0; i < 3_000; i++) {
      ExprNodeDesc one = Expressions.call("=", Expressions.column("key"), Expressions.text("k" + i));
      any = any == null ? one : Expressions.call("or", any, one);
    }
    assertTrue(json(any).contains("\"k2999\""));
  }

  @Test
  public void deepAndLargeTreesEnd() throws Exception {
    ExprNodeDesc deep = Expressions.parse("key = 'a'");
    for (int i = 0; i < 2_000; i++) deep = Expressions.call("not", deep);
    assertTrue(json(deep).contains("{\"other\": \"" + ExprNodeGenericFuncDesc.class.getName() + "\""));
    assertFalse(json(deep).contains("\"a\""));
    // Each level has the one below twice, so the text of all levels would be longer than any memory.
    ExprNodeDesc shared = Expressions.column("key");
    for (int i = 0; i < 60; i++) {
      shared = new ExprNodeGenericFuncDesc(TypeInfoFactory.stringTypeInfo, FunctionRegistry.getFunctionInfo("concat").getGenericUDF(), new ArrayList<>(Arrays.asList(shared, shared)));
    }
    try {
      json(shared);
      fail("it was written");
    } catch (FilterJson.TooLarge expected) {
      // The statement then has no plan.
    }
  }
}
