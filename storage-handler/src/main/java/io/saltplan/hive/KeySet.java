package io.saltplan.hive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** A set of row keys: sorted ranges that are not empty and do not touch each other. */
final class KeySet {
  static final KeySet ALL = new KeySet(Collections.singletonList(KeyRange.from(new byte[0])));
  static final KeySet NONE = new KeySet(Collections.<KeyRange>emptyList());

  /** Of a range without its keys: three objects of Java. */
  private static final int RANGE_BYTES = 80;

  private final List<KeyRange> ranges;

  private KeySet(List<KeyRange> ranges) {
    this.ranges = ranges;
  }

  static KeySet of(KeyRange range) {
    return range.isEmpty() ? NONE : new KeySet(Collections.singletonList(range));
  }

  /** The union of ranges, which may be unsorted and may overlap. */
  static KeySet ofAny(Collection<KeyRange> any) {
    List<KeyRange> sorted = new ArrayList<>(any);
    sorted.removeIf(KeyRange::isEmpty);
    sorted.sort(KeyRange::compareStarts);
    List<KeyRange> joined = new ArrayList<>();
    for (KeyRange range : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).reaches(range)) {
        joined.set(last, joined.get(last).joined(range));
      } else {
        joined.add(range);
      }
    }
    return new KeySet(joined);
  }

  List<KeyRange> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  /** About how many bytes of memory it needs. */
  long memory() {
    long bytes = 0;
    for (KeyRange range : ranges) bytes += RANGE_BYTES + range.start().length + range.hbaseStop().length;
    return bytes;
  }

  boolean isAll() {
    return ranges.size() == 1 && ranges.get(0).isAll();
  }

  KeySet and(KeySet other) {
    List<KeyRange> common = new ArrayList<>();
    int left = 0;
    int right = 0;
    while (left < ranges.size() && right < other.ranges.size()) {
      KeyRange mine = ranges.get(left);
      KeyRange theirs = other.ranges.get(right);
      KeyRange both = mine.common(theirs);
      if (!both.isEmpty()) common.add(both);
      if (mine.stopsBefore(theirs)) {
        left++;
      } else {
        right++;
      }
    }
    return new KeySet(common);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeySet && ranges.equals(((KeySet) other).ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
  }

  @Override
  public String toString() {
    return ranges.toString();
  }
}
