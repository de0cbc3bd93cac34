package io.saltplan.hive;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/** Row keys from a start row (included) to a stop row (excluded). Keys compare as unsigned bytes. */
final class KeyRange {
  private static final byte[] FIRST = {};

  private final byte[] start;
  /** Null: no upper end. */
  private final byte[] stop;

  private KeyRange(byte[] start, byte[] stop) {
    this.start = start;
    this.stop = stop;
  }

  /** All keys from a key on. */
  static KeyRange from(byte[] start) {
    return new KeyRange(start, null);
  }

  static KeyRange between(byte[] start, byte[] stop) {
    return new KeyRange(start, stop);
  }

  static KeyRange below(byte[] stop) {
    return new KeyRange(FIRST, stop);
  }

  static KeyRange point(byte[] key) {
    return new KeyRange(key, after(key));
  }

  /** A range with bounds as in HBase: an empty stop row means no upper end. */
  static KeyRange ofHbase(byte[] start, byte[] stop) {
    return new KeyRange(start, stop.length == 0 ? null : stop);
  }

  /** The smallest key above this one. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  byte[] start() {
    return start;
  }

  /** The stop row as in HBase: empty if there is no upper end. */
  byte[] hbaseStop() {
    return stop == null ? FIRST : stop;
  }

  boolean isEmpty() {
    return stop != null && Bytes.compareTo(start, stop) >= 0;
  }

  boolean isAll() {
    return start.length == 0 && stop == null;
  }

  /** Whether no key lies between this range and the other, which must not start before this one. */
  boolean reaches(KeyRange other) {
    return stop == null || Bytes.compareTo(other.start, stop) <= 0;
  }

  boolean stopsBefore(KeyRange other) {
    return compareStops(stop, other.stop) < 0;
  }

  /** The union of this range and one that touches or overlaps it. */
  KeyRange joined(KeyRange other) {
    return new KeyRange(
        Bytes.compareTo(start, other.start) <= 0 ? start : other.start,
        compareStops(stop, other.stop) >= 0 ? stop : other.stop);
  }

  /** The intersection; may be empty. */
  KeyRange common(KeyRange other) {
    return new KeyRange(
        Bytes.compareTo(start, other.start) >= 0 ? start : other.start,
        compareStops(stop, other.stop) <= 0 ? stop : other.stop);
  }

  int compareStarts(KeyRange other) {
    return Bytes.compareTo(start, other.start);
  }

  private static int compareStops(byte[] left, byte[] right) {
    if (left == null || right == null) return (left == null ? 1 : 0) - (right == null ? 1 : 0);
    return Bytes.compareTo(left, right);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyRange
        && Arrays.equals(start, ((KeyRange) other).start)
        && Arrays.equals(stop, ((KeyRange) other).stop);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(start) + Arrays.hashCode(stop);
  }

  @Override
  public String toString() {
    return Bytes.toStringBinary(start) + " to " + (stop == null ? "the end" : Bytes.toStringBinary(stop));
  }
}
