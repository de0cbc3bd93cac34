package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Programs of the shell in the place of the planner. */
public class ProcessPlannerTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Answers as agreed. */
  static final String RIGHT =
      "digest=$(/usr/bin/sha256sum | /usr/bin/cut -c 1-64)\n"
          + "printf '{\"protocol\": 1, \"digest\": \"%s\", \"version\": \"" + PlanAnswer.VERSION + "\", "
          + "\"ranges\": [[\"3061\", \"3062\"], [\"ff\", \"\"]]}' \"$digest\"\n";

  private Planning planning(String script, String... arguments) throws Exception {
    return planning(20_000, script, arguments);
  }

  private Planning planning(long millis, String script, String... arguments) throws Exception {
    return new Planning(planner(script, arguments), System::nanoTime, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private ProcessPlanner planner(String script, String... arguments) throws Exception {
    File file = folder.newFile();
    Files.write(file.toPath(), ("#!/bin/sh\n" + script).getBytes(StandardCharsets.UTF_8));
    assertTrue(file.setExecutable(true));
    String[] command = new String[arguments.length + 1];
    command[0] = file.getPath();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return new ProcessPlanner(command);
  }

  private static String fault(Planning planning) {
    return fault(planning, PlanAnswerTest.REQUEST);
  }

  private static String fault(Planning planning, PlanRequest request) {
    try {
      planning.plan(request, null);
      fail("there is a plan");
      return null;
    } catch (PlanFault fault) {
      return fault.getMessage();
    }
  }

  @Test
  public void anAnswer() throws Exception {
    assertEquals(PlanAnswerTest.RANGES, planning(RIGHT).plan(PlanAnswerTest.REQUEST, null).keys());
    String large = new String(new char[1 << 20]).replace('\0', 'x');
    assertEquals(PlanAnswerTest.RANGES, planning(RIGHT).plan(PlanRequest.ofText(large), null).keys());
  }

  @Test
  public void onlyTheWordsOfTheCommandAndNoEnvironment() throws Exception {
    File seen = folder.newFile();
    planning("{ pwd; echo \"$# $*\"; /usr/bin/env; } > " + seen + "\n" + RIGHT, "pushdown").plan(PlanAnswerTest.REQUEST, null);
    String text = new String(Files.readAllBytes(seen.toPath()), StandardCharsets.UTF_8);
    // The shell itself sets these.
    assertEquals("/\n1 pushdown\n", text.replaceAll("(?m)^(PWD|OLDPWD|SHLVL|_)=.*\n", ""));
  }

  @Test
  public void whatIsNoAnswer() throws Exception {
    assertTrue(fault(planning("echo hello")).contains("did not answer as agreed"));
    assertTrue(fault(planning("exec < /dev/null; " + RIGHT)).contains("one to another request"));
    assertTrue(fault(planning("echo oh no >&2; exit 3")).contains("ended with code 3: oh no"));
    assertTrue(fault(planning(RIGHT + "exit 1")).contains("ended with code 1"));
    assertTrue(fault(planning(RIGHT + "kill -9 $$")).contains("ended with code 137"));
    assertTrue(fault(planning("exec cat /dev/zero")).contains("wrote more than"));
    assertTrue(fault(planning(500, "exec /bin/cat /dev/zero >&2")).contains("did not answer in time"));
    assertTrue(fault(planning("")).contains("the end"));
  }

  @Test
  public void aRefusalIsNoFailureOfThePlanner() throws Exception {
    Planning planning = planning("echo the schema is wrong >&2; exit 2");
    for (int i = 0; i < 5; i++) {
      assertEquals("the planner refuses the request: the schema is wrong", fault(planning));
    }
    assertTrue(fault(planning("echo x; exit 2")).contains("ended with code 2"));
  }

  @Test
  public void aProgramThatHangsIsKilled() throws Exception {
    File pid = folder.newFile();
    assertTrue(fault(planning(500, "echo $$ > " + pid + "; exec /bin/sleep 60")).contains("did not answer in time"));
    String process = "/proc/" + new String(Files.readAllBytes(pid.toPath()), StandardCharsets.UTF_8).trim();
    for (int i = 0; i < 100 && new File(process).exists(); i++) Thread.sleep(50);
    assertFalse(new File(process).exists());
  }

  /** A request that is longer than a pipe holds. */
  @Test
  public void aProgramThatDoesNotReadIsNotWaitedFor() throws Exception {
    String large = new String(new char[1 << 20]).replace('\0', 'x');
    assertTrue(fault(planning("exit 4"), PlanRequest.ofText(large)).contains("ended with code 4"));
  }

  @Test
  public void itsMemoryIsLimited() throws Exception {
    File seen = folder.newFile();
    planning("ulimit -v > " + seen + "\n" + RIGHT).plan(PlanAnswerTest.REQUEST, null);
    assertEquals(ProcessPlanner.MEMORY_KIB + "\n", new String(Files.readAllBytes(seen.toPath()), StandardCharsets.UTF_8));
  }

  /** What a child keeps open is not waited for, and no thread is left that waits for it. */
  @Test
  public void aChildThatKeepsThePipesOpen() throws Exception {
    String script = RIGHT.replace("digest=", "/bin/sleep 30 &\ndigest=");
    assertEquals(PlanAnswerTest.RANGES, planning(script).plan(PlanAnswerTest.REQUEST, null).keys());
    for (int i = 0; i < 100 && readers() > 0; i++) Thread.sleep(20);
    assertEquals(0, readers());
  }

  private static long readers() {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("saltplan answer")).count();
  }

  @Test
  public void aCommandThatCannotBeStarted() {
    assertTrue(fault(new Planning(new ProcessPlanner("/no/such/program"))).contains("cannot be started"));
    assertTrue(fault(new Planning(new ProcessPlanner("sh"))).contains("no absolute path"));
  }
}
