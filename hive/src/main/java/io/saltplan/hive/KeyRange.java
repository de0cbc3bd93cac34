package io.saltplan.hive;

import java.util.Arrays;
import org.apache.hadoop.hbase.util.Bytes;

/** Row keys from a start, which belongs to it, to a stop, which does not. Keys compare as unsigned bytes. */
final class KeyRange {
  private static final byte[] FIRST = {};

  private final byte[] start;
  /** Null: no upper end. */
  private final byte[] stop;

  private KeyRange(byte[] start, byte[] stop) {
    this.start = start;
    this.stop = stop;
  }

  /** From a key on, without an upper end. */
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

  /** With the bounds as HBase writes them: an empty stop is no upper end. */
  static KeyRange ofHbase(byte[] start, byte[] stop) {
    return new KeyRange(start, stop.length == 0 ? null : stop);
  }

  /** The least key above this one. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  byte[] start() {
    return start;
  }

  /** As HBase writes it: empty when there is no upper end. */
  byte[] hbaseStop() {
    return stop == null ? FIRST : stop;
  }

  boolean isEmpty() {
    return stop != null && Bytes.compareTo(start, stop) >= 0;
  }

  boolean isAll() {
    return start.length == 0 && stop == null;
  }

  /** There is no key between this range and the other, which does not start before it. */
  boolean reaches(KeyRange other) {
    return stop == null || Bytes.compareTo(other.start, stop) <= 0;
  }

  boolean stopsBefore(KeyRange other) {
    return compareStops(stop, other.stop) < 0;
  }

  /** Both, which reach each other. */
  KeyRange joined(KeyRange other) {
    return new KeyRange(
        Bytes.compareTo(start, other.start) <= 0 ? start : other.start,
        compareStops(stop, other.stop) >= 0 ? stop : other.stop);
  }

  /** What both have in common; may be empty. */
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
