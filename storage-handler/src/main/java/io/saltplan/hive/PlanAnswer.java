package io.saltplan.hive;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** What the planner says: the row keys that can satisfy the filter, or why all can. */
final class PlanAnswer {
  /** The version of saltplan that this jar was built with. Another one may understand a schema or a filter differently. */
  static final String VERSION = "0.1.0";

  static final int MAX_RANGES = 4096;
  /** HBase has no longer keys. */
  private static final int MAX_KEY = Short.MAX_VALUE;

  private static final Set<String> OF_RANGES = new HashSet<>(Arrays.asList("protocol", "digest", "version", "ranges"));
  private static final Set<String> OF_ALL = new HashSet<>(Arrays.asList("protocol", "digest", "version", "all"));

  private final KeySet keys;
  private final String reason;

  private PlanAnswer(KeySet keys, String reason) {
    this.keys = keys;
    this.reason = reason;
  }

  /** Reads an answer to this request. Whatever is not exactly that is no answer. */
  static PlanAnswer read(byte[] answer, PlanRequest request) throws PlanFault {
    Map<?, ?> members = members(answer);
    boolean isRanges = members.keySet().equals(OF_RANGES);
    if (!isRanges && !members.keySet().equals(OF_ALL)) throw garbage("it has other members than agreed");
    if (!Long.valueOf(PlanRequest.PROTOCOL).equals(members.get("protocol"))) throw garbage("it has another protocol");
    if (!VERSION.equals(members.get("version"))) {
      throw new PlanFault(
          "the planner is saltplan " + shown(members.get("version")) + ", and this jar was built with " + VERSION
              + ": install the planner and the jar of one version");
    }
    if (!request.digest().equals(members.get("digest"))) throw new PlanFault("the answer of the planner is one to another request");
    if (isRanges) return new PlanAnswer(keys(members.get("ranges")), null);
    Object reason = members.get("all");
    if (!(reason instanceof String)) throw garbage("the reason is no text");
    return new PlanAnswer(KeySet.ALL, shown(reason));
  }

  private static Map<?, ?> members(byte[] answer) throws PlanFault {
    try {
      Object read = Json.read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(answer)).toString());
      if (read instanceof Map) return (Map<?, ?>) read;
      throw garbage("it is no object");
    } catch (CharacterCodingException e) {
      throw garbage("it is not UTF-8");
    } catch (Json.Malformed e) {
      throw garbage(e.getMessage());
    }
  }

  private static KeySet keys(Object ranges) throws PlanFault {
    if (!(ranges instanceof List)) throw garbage("the ranges are no list");
    List<?> list = (List<?>) ranges;
    if (list.size() > MAX_RANGES) throw garbage("it has more than " + MAX_RANGES + " ranges");
    List<KeyRange> keys = new ArrayList<>();
    for (Object range : list) {
      if (!(range instanceof List) || ((List<?>) range).size() != 2) throw garbage("a range is no pair");
      KeyRange read = KeyRange.ofHbase(key(((List<?>) range).get(0)), key(((List<?>) range).get(1)));
      // One of no key may be one whose bounds were mixed up.
      if (read.isEmpty()) throw garbage("a range ends before it begins");
      keys.add(read);
    }
    return KeySet.ofAny(keys);
  }

  private static byte[] key(Object hex) throws PlanFault {
    if (!(hex instanceof String)) throw garbage("a key is no text");
    String text = (String) hex;
    if (text.length() % 2 != 0 || text.length() > 2 * MAX_KEY || !text.matches("[0-9a-fA-F]*")) throw garbage("a key is not hex");
    return Bytes.fromHex(text);
  }

  private static PlanFault garbage(String what) {
    return new PlanFault("the planner did not answer as agreed: " + what);
  }

  /** Text of the planner for a line of a log. */
  static String shown(Object text) {
    String line = String.valueOf(text).replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").trim();
    return line.length() > 300 ? line.substring(0, 300) + "…" : line;
  }

  KeySet keys() {
    return keys;
  }

  /** Why the filter does not narrow the keys; null if there are ranges. */
  String reason() {
    return reason;
  }
}
