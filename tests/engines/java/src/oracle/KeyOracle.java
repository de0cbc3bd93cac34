import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Row keys as programs of the designs' authors compute them, with nothing but Java's own classes. The argument is the design. Every
 * line of stdin is a row: the fields as hex of their UTF-8 text, with tabs between them. Every line of stdout is its key in hex.
 */
public class KeyOracle {
  private static final HexFormat HEX = HexFormat.of();

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    StringBuilder keys = new StringBuilder();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] fields = line.split("\t", -1);
      for (int i = 0; i < fields.length; i++) fields[i] = new String(HEX.parseHex(fields[i]), StandardCharsets.UTF_8);
      keys.append(HEX.formatHex(key(args[0], fields))).append('\n');
    }
    System.out.print(keys);
    System.out.flush();
  }

  private static byte[] key(String design, String[] f) throws Exception {
    switch (design) {
      case "md5_nibble_day": {
        String original = f[0] + f[1];
        int digit = Integer.parseInt(md5(original).substring(0, 1), 16);
        return text(String.format("%3d", digit).replace(' ', '0') + original);
      }
      case "hash_prefix_short": {
        String key = f[0] + f[1];
        short prefix = (short) (key.hashCode() & 0x7FFF);
        return join(ByteBuffer.allocate(2).putShort(prefix).array(), text(key));
      }
      case "md5_prefix": {
        String key = f[0] + "_" + f[1];
        return text(md5(key).substring(0, 8) + "_" + key);
      }
      case "md5_whole":
        return text(md5(f[0] + f[1]));
      case "plain_concat":
        return text(f[0] + f[1]);
      case "region_number": {
        String last = f[0].substring(f[0].length() - 4);
        int region = Math.abs(last.hashCode() ^ f[1].substring(0, 6).hashCode()) % 6;
        return text(region + "_" + f[0] + "_" + f[1]);
      }
      case "reversed_id_time":
        return join(text(new StringBuilder(f[0]).reverse().toString()), bytes(Long.MAX_VALUE - Long.parseLong(f[1])));
      case "random_two_digits":
        return text(f[0] + f[1] + f[2] + String.format("%019d", Long.parseLong(f[3])));
      case "random_digit":
        return text(f[0] + f[1] + f[2]);
      case "md5_sampled": {
        byte[] id = bytes(Long.parseLong(f[0]));
        return join(text(HEX.formatHex(MessageDigest.getInstance("MD5").digest(id)).substring(0, 8)), id);
      }
      case "modulo_partition":
      case "modulo_signed": {
        long id = Long.parseLong(f[0]);
        return join(bytes(id % 20), bytes(id));
      }
      case "hash_abs_before":
        return text(Math.abs((f[0] + f[1]).hashCode()) % 6 + "_" + f[0] + "_" + f[1]);
      case "hash_abs_after": {
        int salt = Math.abs((firstCharacters(f[0], 3).hashCode() ^ f[1].hashCode()) % 97);
        return text(String.format("%03d", salt) + "_" + f[0] + "_" + f[1]);
      }
      case "hash_signed": {
        int salt = (f[0] + lastCharacters(f[1], 2)).hashCode() % 1000;
        return join(ByteBuffer.allocate(4).putInt(salt).array(), text("_" + f[0] + "_" + f[1]));
      }
      case "md5_lower_case": {
        String salt = md5(f[0].toLowerCase(Locale.ROOT) + "/" + f[1]).substring(0, 12);
        return text(salt + "_" + f[0] + "_" + f[1]);
      }
      default:
        throw new IllegalArgumentException("no such design: " + design);
    }
  }

  private static String md5(String text) throws Exception {
    return HEX.formatHex(MessageDigest.getInstance("MD5").digest(text(text)));
  }

  private static String firstCharacters(String text, int count) {
    int have = text.codePointCount(0, text.length());
    return text.substring(0, text.offsetByCodePoints(0, Math.min(count, have)));
  }

  private static String lastCharacters(String text, int count) {
    int have = text.codePointCount(0, text.length());
    return text.substring(text.offsetByCodePoints(0, Math.max(have - count, 0)));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }

  private static byte[] join(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
