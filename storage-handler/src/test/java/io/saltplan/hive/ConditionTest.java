package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluator;
import org.apache.hadoop.hive.ql.exec.ExprNodeEvaluatorFactory;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.Text;
import org.junit.Test;

public class ConditionTest {
  private static final KeyColumn KEY = new KeyColumn("key", true);

  @Test
  public void casesThatThePlannerReadsToo() throws Exception {
    String name = null;
    String where = null;
    int count = 0;
    for (String line : Files.readAllLines(Paths.get("../tests/testdata/key_ranges.txt"), StandardCharsets.UTF_8)) {
      line = line.trim();
      if (line.startsWith("case ")) name = line.substring(5);
      if (line.startsWith("where: ")) where = line.substring(7);
      if (line.startsWith("keys: ")) {
        assertEquals(name, keySet(line.substring(6)), Condition.keys(Expressions.parse(where), KEY));
        count++;
      }
    }
    assertTrue("only " + count + " cases", count >= 35);
  }

  private static KeySet keySet(String text) {
    List<KeyRange> ranges = new ArrayList<>();
    if (!text.equals("none")) {
      for (String range : text.split(" ")) {
        int dots = range.indexOf("..");
        ranges.add(KeyRange.ofHbase(Bytes.fromHex(range.substring(0, dots)), Bytes.fromHex(range.substring(dots + 2))));
      }
    }
    return KeySet.ofAny(ranges);
  }

  @Test
  public void aBinaryKeyIsOnlyKnownByItsHex() throws Exception {
    KeyColumn binary = new KeyColumn("key", false);
    assertTrue(Condition.keys(Expressions.parse("key >= 'a'"), binary).isAll());
    assertEquals(keySet("61..6100"), Condition.keys(Expressions.parse("hex(key) = '61'"), binary));
  }

  @Test
  public void falseHasNoKeys() throws Exception {
    ExprNodeDesc never = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, false);
    ExprNodeDesc range = Expressions.parse("key < 'b'");
    assertEquals(keySet("..62"), Condition.keys(Expressions.call("or", range, never), KEY));
    ExprNodeDesc always = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, true);
    assertTrue(Condition.keys(Expressions.call("or", range, always), KEY).isAll());
  }

  @Test
  public void halfOfASurrogatePairIsNoBound() throws Exception {
    ExprNodeDesc condition = Expressions.call(">=", Expressions.column("key"), Expressions.text("a\uD83D"));
    assertTrue(Condition.keys(condition, KEY).isAll());
  }

  @Test
  public void manyRangesNestedAsDeepAsHive2DoesIt() throws Exception {
    ExprNodeDesc any = null;
    List<KeyRange> expected = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      String key = String.format("%05d", i);
      ExprNodeDesc one = Expressions.call("=", Expressions.column("key"), Expressions.text(key));
      any = any == null ? one : Expressions.call("or", any, one);
      expected.add(KeyRange.point(Bytes.toBytes(key)));
    }
    assertEquals(KeySet.ofAny(expected), Condition.keys(any, KEY));
  }

  /**
   * Hive evaluates random conditions: every key that satisfies one must be in its set. For conditions on the key alone without
   * NOT, the set must contain no other key.
   */
  @Test
  public void noKeyOfTheConditionIsLost() throws Exception {
    Random random = new Random(20200406);
    List<byte[]> keys = keys();
    int pruned = 0;
    int held = 0;
    for (int i = 0; i < 1000; i++) {
      boolean isExact = random.nextBoolean();
      String text = condition(random, 3, isExact);
      ExprNodeDesc condition = Expressions.parse(text);
      KeySet set = Condition.keys(condition, KEY);
      if (!set.isAll()) pruned++;
      ExprNodeEvaluator<?> hive = ExprNodeEvaluatorFactory.get(condition);
      PrimitiveObjectInspector result = (PrimitiveObjectInspector) hive.initialize(ROW);
      for (byte[] key : keys) {
        for (String status : new String[] {"x", "y"}) {
          Object answer = hive.evaluate(Arrays.asList(new Text(key), new Text(status)));
          boolean holds = Boolean.TRUE.equals(result.getPrimitiveJavaObject(answer));
          boolean contained = !set.and(KeySet.of(KeyRange.point(key))).ranges().isEmpty();
          String place = text + " for " + Bytes.toStringBinary(key) + ": " + set;
          if (holds) assertTrue("lost: " + place, contained);
          if (isExact) assertEquals("not exact: " + place, holds, contained);
          if (holds) held++;
        }
      }
    }
    assertTrue(pruned + " pruned, " + held + " rows", pruned > 300 && held > 5_000);
  }

  private static final ObjectInspector ROW =
      ObjectInspectorFactory.getStandardStructObjectInspector(
          Arrays.asList("key", "status"),
          Arrays.<ObjectInspector>asList(
              PrimitiveObjectInspectorFactory.writableStringObjectInspector,
              PrimitiveObjectInspectorFactory.writableStringObjectInspector));

  /** All keys of up to two of some bytes, which include parts of characters and the smallest and greatest byte. */
  private static List<byte[]> keys() {
    int[] bytes = {0x00, 0x0A, 0x2F, 0x61, 0x62, 0x7F, 0x80, 0xC3, 0xA9, 0xFF};
    List<byte[]> keys = new ArrayList<>();
    for (int first : bytes) {
      keys.add(new byte[] {(byte) first});
      for (int second : bytes) keys.add(new byte[] {(byte) first, (byte) second});
    }
    return keys;
  }

  private static String condition(Random random, int depth, boolean isExact) {
    int choice = random.nextInt(depth == 0 ? 4 : isExact ? 6 : 9);
    switch (choice) {
      case 0:
      case 1:
        String operator = one(random, ">=", ">", "<=", "<", "=");
        boolean isTurned = random.nextBoolean();
        String[] sides = sides(random, isExact);
        return isTurned ? sides[1] + " " + operator + " " + sides[0] : sides[0] + " " + operator + " " + sides[1];
      case 2:
        String[] between = sides(random, isExact);
        return between[0] + " BETWEEN " + between[1] + " AND " + constant(random, between[0].startsWith("hex"), isExact);
      case 3:
        String[] in = sides(random, isExact);
        return in[0] + " IN (" + in[1] + ", " + constant(random, in[0].startsWith("hex"), isExact) + ")";
      case 4:
      case 5:
      case 6:
        String word = choice == 4 ? " AND " : " OR ";
        return "(" + condition(random, depth - 1, isExact) + word + condition(random, depth - 1, isExact) + ")";
      case 7:
        return "NOT (" + condition(random, depth - 1, false) + ")";
      default:
        return "status = " + one(random, "'x'", "'y'");
    }
  }

  private static String[] sides(Random random, boolean isExact) {
    boolean isHex = random.nextBoolean();
    return new String[] {isHex ? "hex(key)" : "key", constant(random, isHex, isExact)};
  }

  private static String constant(Random random, boolean isHex, boolean isExact) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(isHex ? 6 : 3);
    for (int i = 0; i < length; i++) {
      text.append(isHex ? one(random, "0", "1", "6", "A", "F", "F", "a", "G", "-", ":") : one(random, "a", "b", "é", "\n", "/", "\u007f", isExact ? "c" : "\uFFFD"));
    }
    return "'" + text + "'";
  }

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }
}
