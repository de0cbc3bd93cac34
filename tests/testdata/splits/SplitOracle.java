import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Random;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;

/**
 * Prints the split keys that HBase's own classes compute, one case a line:
 *
 *     hex_string N | decimal_string N | uniform N | byte_range START END N : COUNT MD5 [KEY …]
 *
 * START, END and KEYs are hex; MD5 is of all keys in hex, each followed by a line break; small cases list the keys.
 * Run with the jars of hbase-server on the class path; hbase-2.4.17.txt is its output.
 */
public class SplitOracle {
  public static void main(String[] args) throws Exception {
    int[] sizes = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 20, 31, 32, 33, 64, 99, 100, 101, 127, 128, 255,
      256, 257, 500, 999, 1000, 1024, 4095, 4096, 9999, 10000, 65535, 65536, 65537, 99999, 100000};
    for (int n : sizes) {
      print("hex_string " + n, new RegionSplitter.HexStringSplit().split(n));
      print("decimal_string " + n, new RegionSplitter.DecimalStringSplit().split(n));
      print("uniform " + n, new RegionSplitter.UniformSplit().split(n));
    }
    for (int n = 3; n <= 64; n++) {
      short start = (short) (0x7FFF / n);
      range(Bytes.toBytes(start), Bytes.toBytes((short) (0x7FFF - start)), n);
    }
    for (int n : new int[] {100, 300, 1000, 5000, 32767}) {
      short start = (short) (0x7FFF / n);
      range(Bytes.toBytes(start), Bytes.toBytes((short) (0x7FFF - start)), n);
    }
    range(Bytes.toBytes(1), Bytes.toBytes(1000000), 17);
    range(Bytes.toBytes(1L), Bytes.toBytes(15L), 15);
    range(Bytes.toBytes(1L), Bytes.toBytes(15L), 16);
    range(Bytes.toBytes(1L), Bytes.toBytes(Long.MAX_VALUE), 100);
    range(Bytes.toBytes("a"), Bytes.toBytes("z"), 10);
    range(Bytes.toBytes("a"), Bytes.toBytes("zzz"), 10);
    range(Bytes.toBytes("aaaa"), Bytes.toBytes("b"), 10);
    range(Bytes.toBytes("a"), Bytes.toBytes("b"), 1000);
    range(Bytes.toBytes("a"), Bytes.toBytes("b"), 100000);
    range(Bytes.toBytes("a"), new byte[] {97, 0}, 5);
    range(new byte[] {0}, new byte[] {(byte) 0xFF, (byte) 0xFF}, 4);
    Random random = new Random(20200406);
    for (int i = 0; i < 400; i++) {
      byte[] a = new byte[1 + random.nextInt(9)], b = new byte[1 + random.nextInt(9)];
      random.nextBytes(a);
      random.nextBytes(b);
      if (i % 4 == 0) { // close together, so that the range is too narrow for its regions
        b = a.clone();
        b[b.length - 1] += 1 + random.nextInt(5);
      }
      if (Bytes.compareTo(a, b) > 0) { byte[] c = a; a = b; b = c; }
      range(a, b, 3 + random.nextInt(i % 10 == 0 ? 5000 : 30));
    }
  }

  /** What Admin.createTable(descriptor, start, end, regions) does before it hands the keys over. */
  static void range(byte[] start, byte[] end, int regions) throws Exception {
    String name = "byte_range " + Bytes.toHex(start) + " " + Bytes.toHex(end) + " " + regions;
    if (Bytes.compareTo(start, end) >= 0) return;
    if (regions == 3) {
      print(name, new byte[][] {start, end});
      return;
    }
    byte[][] keys;
    try {
      keys = Bytes.split(start, end, regions - 3);
    } catch (IllegalArgumentException e) {
      System.out.println(name + " : refused");
      return;
    }
    if (keys == null || keys.length != regions - 1) {
      System.out.println(name + " : refused");
      return;
    }
    print(name, keys);
  }

  static void print(String name, byte[][] keys) throws Exception {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    StringBuilder line = new StringBuilder();
    for (byte[] key : keys) {
      md5.update((Bytes.toHex(key) + "\n").getBytes(StandardCharsets.US_ASCII));
      if (keys.length <= 20) line.append(' ').append(Bytes.toHex(key));
    }
    System.out.println(name + " : " + keys.length + " " + String.format("%032x", new BigInteger(1, md5.digest())) + line);
  }
}
