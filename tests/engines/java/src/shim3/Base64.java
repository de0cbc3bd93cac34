package org.apache.hadoop.hbase.util;

/**
 * Stands in for a class that HBase 2.4 no longer has. Hive 3.1.3, made for a preview of HBase 2.0, cannot read snapshots without it.
 */
public final class Base64 {
  private Base64() {}

  public static String encodeBytes(byte[] bytes) {
    return java.util.Base64.getEncoder().encodeToString(bytes);
  }
}
