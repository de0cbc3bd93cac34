package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Test;

/** Small modules in the place of the planner, assembled here. */
public class ModulePlannerTest {
  @Before
  public void needsJava11() {
    Assume.assumeFalse(System.getProperty("java.specification.version").startsWith("1."));
  }

  /** A module whose start has this code; its function 0 writes to a file, 1 ends the program, 2 is the start. */
  private static byte[] module(String code, String text) {
    byte[] data = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream memory = new ByteArrayOutputStream();
    // One part to write, at the address 16.
    for (int word : new int[] {16, data.length, 0, 0}) {
      for (int shift = 0; shift < 32; shift += 8) memory.write(word >> shift);
    }
    memory.write(data, 0, data.length);
    String name = "16" + hex("wasi_snapshot_preview1");
    return org.apache.hadoop.hbase.util.Bytes.fromHex(
        "0061736d01000000"
            + section(1, "03" + "60047f7f7f7f017f" + "60017f00" + "600000")
            + section(2, "02" + name + "08" + hex("fd_write") + "0000" + name + "09" + hex("proc_exit") + "0001")
            + section(3, "01" + "02")
            + section(5, "01" + "0001")
            + section(7, "02" + "06" + hex("_start") + "0002" + "06" + hex("memory") + "0200")
            + section(10, "01" + sized("00" + code + "0b"))
            + section(11, "01" + "00" + "41000b" + sized(FilterJson.hex(memory.toByteArray()))));
  }

  private static String hex(String text) {
    return FilterJson.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String section(int id, String content) {
    return String.format("%02x", id) + sized(content);
  }

  private static String sized(String content) {
    int size = content.length() / 2;
    StringBuilder written = new StringBuilder();
    for (; size >= 0x80; size >>= 7) written.append(String.format("%02x", size & 0x7F | 0x80));
    return written.append(String.format("%02x", size)) + content;
  }

  private static final String WRITE = "4101" + "4100" + "4101" + "4108" + "1000" + "1a";

  private static Planning planning(byte[] module) {
    return planning(module, 20_000);
  }

  private static Planning planning(byte[] module, long millis) {
    Planner planner = new ModulePlanner(() -> module == null ? null : new ByteArrayInputStream(module), null);
    return new Planning(planner, System::nanoTime, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static String fault(byte[] module) {
    return fault(planning(module));
  }

  private static String fault(Planning planning) {
    try {
      planning.plan(PlanAnswerTest.REQUEST, null);
      fail("there is a plan");
      return null;
    } catch (PlanFault fault) {
      return fault.getMessage();
    }
  }

  private static void assertFault(String expected, byte[] module) {
    String fault = fault(module);
    assertTrue(fault, fault.contains(expected));
  }

  @Test
  public void anAnswer() throws Exception {
    byte[] module = module(WRITE, PlanAnswerTest.ranges(PlanAnswerTest.REQUEST));
    assertEquals(PlanAnswerTest.RANGES, planning(module).plan(PlanAnswerTest.REQUEST, null).keys());
  }

  @Test
  public void whatIsNoAnswer() {
    assertFault("one to another request", module(WRITE, PlanAnswerTest.ranges(PlanRequest.ofText("other"))));
    assertFault("did not answer as agreed", module(WRITE, "hello"));
    assertFault("the end", module("", ""));
    assertFault("ended with code 7", module("41071001", ""));
    assertFault("the planner refuses the request", module("41021001", ""));
    assertFault("the planner died", module("00", ""));
  }

  @Test
  public void aModuleThatHangsIsLeft() throws Exception {
    assertTrue(fault(planning(module("03400c000b", ""), 300)).contains("did not answer in time"));
    for (int i = 0; i < 100 && isPlanning(); i++) Thread.sleep(50);
    assertTrue("its thread goes on", !isPlanning());
  }

  private static boolean isPlanning() {
    return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("saltplan planner"));
  }

  @Test
  public void itsStackAndItsMemoryAreBounded() {
    assertFault("the planner died", module("1002", ""));
    // 1,000 more pages are there, 1,000 times are not: it dies only if it got them.
    String grow = "41e807" + "4000" + "417f" + "46" + "0440" + "41081001" + "0b";
    assertFault("the end", module(grow, ""));
    assertFault("ended with code 8", module(grow + grow, ""));
    // Writes without end.
    assertFault("wrote more than", module("0340" + WRITE + "0c000b", new String(new char[50_000])));
  }

  @Test
  public void noModule() {
    assertFault("built without a planner", null);
    assertFault("is no module", "hello".getBytes(StandardCharsets.UTF_8));
    byte[] module = module(WRITE, "");
    module[12] ^= 0x55;
    assertTrue(fault(module), fault(module).startsWith("the planner"));
  }
}
