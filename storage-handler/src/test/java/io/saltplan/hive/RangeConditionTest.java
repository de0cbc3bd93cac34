package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.junit.Test;

public class RangeConditionTest {
  private static final KeyColumn TEXT = new KeyColumn("key", true);
  private static final KeyColumn BYTES = new KeyColumn("key", false);

  /** As the plan of a job carries it. */
  private static ExprNodeDesc sent(ExprNodeDesc condition) {
    ExprNodeGenericFuncDesc copy = (ExprNodeGenericFuncDesc) condition.clone();
    try {
      return SerializationUtilities.deserializeExpression(SerializationUtilities.serializeExpression(copy));
    } catch (RuntimeException e) {
      // Hive 3 itself cannot write a plan on the newer versions of Java, without the change that the engine trials make to it.
      if (e.getCause() instanceof NoSuchFieldException) return copy;
      throw e;
    }
  }

  @Test
  public void theJobReadsTheRanges() throws Exception {
    Random random = new Random(11);
    ExprNodeDesc filter = Expressions.parse("status = 'x'");
    for (int i = 0; i < 300; i++) {
      List<KeyRange> ranges = new ArrayList<>();
      for (int n = random.nextInt(40); n >= 0; n--) {
        byte[] start = new byte[random.nextInt(3)];
        byte[] stop = new byte[random.nextInt(3)];
        random.nextBytes(start);
        random.nextBytes(stop);
        ranges.add(KeyRange.ofHbase(start, stop));
      }
      KeySet keys = KeySet.ofAny(ranges);
      if (keys.isAll()) continue;
      for (KeyColumn key : new KeyColumn[] {TEXT, BYTES}) {
        assertEquals(keys, Condition.keys(sent(RangeCondition.and(keys, key, filter)), key));
      }
    }
  }

  @Test
  public void noRangeIsNoKey() throws Exception {
    ExprNodeDesc condition = RangeCondition.and(KeySet.NONE, TEXT, Expressions.parse("status = 'x'"));
    assertEquals(KeySet.NONE, Condition.keys(sent(condition), TEXT));
  }

  @Test
  public void theFilterNarrowsToo() throws Exception {
    KeySet keys = KeySet.of(KeyRange.between(new byte[] {0x61}, new byte[] {0x63}));
    ExprNodeDesc condition = RangeCondition.and(keys, TEXT, Expressions.parse("key >= 'b' AND status = 'x'"));
    assertEquals("[b to c]", Condition.keys(sent(condition), TEXT).toString());
  }

  @Test
  public void explainShowsAFewRanges() throws Exception {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < 4096; i++) ranges.add(KeyRange.point(new byte[] {(byte) (i >> 8), (byte) i, 7}));
    ExprNodeDesc filter = Expressions.parse("status = 'x'");
    String shown = RangeCondition.and(KeySet.ofAny(ranges), TEXT, filter).getExprString();
    assertTrue(shown, shown.contains("(hex(key) >= '000007')") && shown.contains("... 4091 more ranges ..."));
    assertTrue(shown, shown.contains("(hex(key) >= '0FFF07')") && shown.length() < 700);
    String few = RangeCondition.and(KeySet.ofAny(ranges.subList(0, 8)), TEXT, filter).getExprString();
    assertTrue(few, few.contains("'000707'") && few.contains("(status = 'x')"));
  }

  @Test
  public void theConditionIsOnTheTableOfTheFilter() throws Exception {
    ExprNodeDesc condition = RangeCondition.and(KeySet.NONE, BYTES, Expressions.parse("status = 'x'"));
    assertEquals(Arrays.asList("key", "status"), condition.getCols());
  }
}
