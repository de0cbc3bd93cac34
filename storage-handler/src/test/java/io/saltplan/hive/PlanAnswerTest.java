package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Test;

public class PlanAnswerTest {
  static final PlanRequest REQUEST = PlanRequest.ofText("{\"a\": \"b\"}");

  static String answer(PlanRequest request, String rest) {
    return "{\"protocol\": 1, \"digest\": \"" + request.digest() + "\", \"version\": \"" + PlanAnswer.VERSION + "\", " + rest + "}";
  }

  static String ranges(PlanRequest request) {
    return answer(request, "\"ranges\": [[\"3061\", \"3062\"], [\"ff\", \"\"]]");
  }

  static final KeySet RANGES =
      KeySet.ofAny(
          java.util.Arrays.asList(
              KeyRange.between(Bytes.toBytes("0a"), Bytes.toBytes("0b")), KeyRange.from(new byte[] {-1})));

  private static PlanAnswer read(String text) throws PlanFault {
    return PlanAnswer.read(text.getBytes(StandardCharsets.UTF_8), REQUEST);
  }

  private static void refused(String text, String why) {
    try {
      read(text);
      fail("understood: " + text);
    } catch (PlanFault fault) {
      assertTrue(fault.getMessage(), fault.getMessage().contains(why));
      assertTrue(fault.isOfPlanner());
    }
  }

  @Test
  public void theDigestIsThatOfTheBytes() {
    // printf abc | sha256sum
    assertEquals("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", PlanRequest.ofText("abc").digest());
  }

  @Test
  public void rangesAndReasons() throws Exception {
    assertEquals(RANGES, read(ranges(REQUEST)).keys());
    assertEquals(null, read(ranges(REQUEST)).reason());
    assertEquals(KeySet.NONE, read(answer(REQUEST, "\"ranges\": []")).keys());
    PlanAnswer all = read(answer(REQUEST, "\"all\": \"no\\ncondition\""));
    assertTrue(all.keys().isAll());
    assertEquals("no condition", all.reason());
  }

  @Test
  public void whatIsNotExactlyAnAnswerIsNone() {
    String good = ranges(REQUEST);
    for (int end = 0; end < good.length(); end++) {
      String part = good.substring(0, end);
      refused(part, "did not answer as agreed");
      refused(good.substring(end + 1), "");
    }
    refused(good + good, "more than one value");
    refused(good + "x", "more than one value");
    refused(good.replace("\"protocol\": 1", "\"protocol\": 2"), "another protocol");
    refused(good.replace("\"protocol\": 1", "\"protocol\": 1.0"), "as agreed");
    refused(good.replace("\"protocol\": 1, ", ""), "other members");
    refused(good.replace("{\"p", "{\"all\": \"x\", \"p"), "other members");
    refused(good.replace("{\"p", "{\"more\": 1, \"p"), "other members");
    refused(good.replace("{\"p", "{\"version\": \"9\", \"p"), "a key twice");
    refused(good.replace(PlanAnswer.VERSION, "9.9.9"), "saltplan 9.9.9");
    refused(ranges(PlanRequest.ofText("another")), "another request");
    refused(good.replace("3061", "306"), "not hex");
    refused(good.replace("3061", "30 6"), "not hex");
    refused(good.replace("\"3061\"", "3061"), "no text");
    refused(good.replace("\"3061\", \"3062\"", "\"3061\""), "no pair");
    refused(good.replace("\"3061\", \"3062\"", "\"3062\", \"3061\""), "ends before it begins");
    refused(good.replace("\"3061\", \"3062\"", "\"3061\", \"3061\""), "ends before it begins");
    refused(answer(REQUEST, "\"ranges\": {}"), "no list");
    refused(answer(REQUEST, "\"all\": 1"), "no text");
    refused("[]", "no object");
    refused("", "the end");
    refused("\ufeff" + good, "as agreed");
  }

  @Test
  public void noMoreRangesThanAgreed() throws Exception {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < PlanAnswer.MAX_RANGES; i++) many.append(String.format("[\"%04x00\", \"%04x01\"],", i, i));
    many.setLength(many.length() - 1);
    assertEquals(PlanAnswer.MAX_RANGES, read(answer(REQUEST, "\"ranges\": [" + many + "]")).keys().ranges().size());
    refused(answer(REQUEST, "\"ranges\": [" + many + ",[\"ff\",\"\"]]"), "more than 4096 ranges");
  }

  @Test
  public void nestingIsBounded() {
    StringBuilder deep = new StringBuilder();
    for (int i = 0; i < 100_000; i++) deep.append('[');
    refused(deep.toString(), "too many levels");
  }

  @Test
  public void textOfThePlannerIsOneShortLine() {
    String shown = PlanAnswer.shown("a\r\n\u001b[31mb\u2028c" + new String(new char[1000]).replace('\0', 'x'));
    assertTrue(shown, shown.startsWith("a [31mb c"));
    assertTrue(shown.length() < 310);
    assertFalse(shown.contains("\n"));
  }
}
