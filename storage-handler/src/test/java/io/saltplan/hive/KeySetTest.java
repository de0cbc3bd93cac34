package io.saltplan.hive;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.Test;

public class KeySetTest {
  /** Compares sets of ranges with sets of the one-byte keys 0 to 9. */
  @Test
  public void unionAndIntersectionOfRandomSets() {
    Random random = new Random(7);
    for (int i = 0; i < 5000; i++) {
      List<KeyRange> left = ranges(random);
      List<KeyRange> right = ranges(random);
      TreeSet<Integer> union = members(left);
      union.addAll(members(right));
      TreeSet<Integer> common = members(left);
      common.retainAll(members(right));
      List<KeyRange> both = new ArrayList<>(left);
      both.addAll(right);
      assertEquals(union, members(KeySet.ofAny(both).ranges()));
      KeySet intersection = KeySet.ofAny(left).and(KeySet.ofAny(right));
      assertEquals(common, members(intersection.ranges()));
      assertEquals("in order and apart", KeySet.ofAny(intersection.ranges()), intersection);
    }
  }

  @Test
  public void sharesHoldEveryRangeOnce() {
    List<KeyRange> ranges = new ArrayList<>();
    for (int i = 0; i < 10; i++) ranges.add(KeyRange.point(new byte[] {(byte) i}));
    for (int tasks = 1; tasks < 12; tasks++) {
      List<KeyRange> all = new ArrayList<>();
      for (List<KeyRange> share : RangesInputFormat.shares(ranges, tasks)) all.addAll(share);
      assertEquals(ranges, all);
      assertEquals(Math.min(tasks, 10), RangesInputFormat.shares(ranges, tasks).size());
    }
    assertEquals(0, RangesInputFormat.shares(new ArrayList<KeyRange>(), 3).size());
  }

  private static List<KeyRange> ranges(Random random) {
    List<KeyRange> ranges = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      byte[] start = {(byte) random.nextInt(11)};
      ranges.add(random.nextInt(5) == 0 ? KeyRange.from(start) : KeyRange.between(start, new byte[] {(byte) random.nextInt(11)}));
    }
    return ranges;
  }

  private static TreeSet<Integer> members(List<KeyRange> ranges) {
    TreeSet<Integer> members = new TreeSet<>();
    for (KeyRange range : ranges) {
      for (int i = 0; i < 10; i++) {
        if (!range.common(KeyRange.point(new byte[] {(byte) i})).isEmpty()) members.add(i);
      }
    }
    return members;
  }
}
