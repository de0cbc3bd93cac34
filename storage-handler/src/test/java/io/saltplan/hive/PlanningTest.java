package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public class PlanningTest {
  /** What a planner does with a request. */
  private interface Behaviour {
    byte[] answer(PlanRequest request) throws Exception;
  }

  private static final class Fake implements Planner {
    final AtomicInteger asked = new AtomicInteger();
    volatile Behaviour behaviour;

    Fake(Behaviour behaviour) {
      this.behaviour = behaviour;
    }

    @Override
    public int concurrent() {
      return 4;
    }

    @Override
    public byte[] answer(byte[] request) throws PlanFault, InterruptedException {
      asked.incrementAndGet();
      try {
        return behaviour.answer(PlanRequest.ofText(new String(request, StandardCharsets.UTF_8)));
      } catch (PlanFault | InterruptedException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static byte[] right(PlanRequest request) {
    return PlanAnswerTest.ranges(request).getBytes(StandardCharsets.UTF_8);
  }

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * SECOND); // the clock of Java may overflow

  private Planning planning(Planner planner) {
    return new Planning(planner, now::get, 2 * SECOND);
  }

  private static String fault(Planning planning, String request, String statement) {
    try {
      planning.plan(PlanRequest.ofText(request), statement);
      return fail();
    } catch (PlanFault fault) {
      return fault.getMessage();
    }
  }

  private static String fail() {
    throw new AssertionError("there is a plan");
  }

  @Test
  public void answersAreKeptByTheWholeRequest() throws Exception {
    Fake fake = new Fake(PlanningTest::right);
    Planning planning = planning(fake);
    for (int i = 0; i < 3; i++) {
      assertEquals(PlanAnswerTest.RANGES, planning.plan(PlanRequest.ofText("a"), "s" + i).keys());
      assertEquals(PlanAnswerTest.RANGES, planning.plan(PlanRequest.ofText("b"), "s" + i).keys());
    }
    assertEquals(2, fake.asked.get());
  }

  @Test
  public void theCacheIsBounded() throws Exception {
    Fake fake = new Fake(PlanningTest::right);
    Planning planning = new Planning(fake, now::get, 60 * SECOND);
    for (int i = 0; i < 600; i++) planning.plan(PlanRequest.ofText("r" + i), null);
    planning.plan(PlanRequest.ofText("r599"), null);
    assertEquals(600, fake.asked.get());
    planning.plan(PlanRequest.ofText("r0"), null);
    assertEquals(601, fake.asked.get());
    String large = new String(new char[9 << 20]).replace('\0', 'x');
    planning.plan(PlanRequest.ofText(large + 1), null);
    planning.plan(PlanRequest.ofText(large + 2), null);
    planning.plan(PlanRequest.ofText(large + 1), null);
    assertEquals(604, fake.asked.get());
  }

  /** Keys count: here each answer has about 900 KiB of them. */
  @Test
  public void theCacheIsBoundedByTheKeysOfItsAnswers() throws Exception {
    StringBuilder ranges = new StringBuilder("\"ranges\": [");
    for (int i = 0; i < 4_000; i++) {
      String key = String.format("%0200x", i);
      ranges.append(i == 0 ? "" : ", ").append("[\"" + key + "\", \"" + key + "00\"]");
    }
    String rest = ranges.append(']').toString();
    Fake fake = new Fake(request -> PlanAnswerTest.answer(request, rest).getBytes(StandardCharsets.UTF_8));
    Planning planning = new Planning(fake, now::get, 60 * SECOND);
    for (int i = 0; i < 40; i++) planning.plan(PlanRequest.ofText("r" + i), null);
    planning.plan(PlanRequest.ofText("r39"), null);
    assertEquals("the last one is kept", 40, fake.asked.get());
    planning.plan(PlanRequest.ofText("r20"), null);
    assertEquals("16 MiB are fewer than 20 answers", 41, fake.asked.get());
  }

  /** Loading goes on without the statement that began it, and is begun once. */
  @Test
  public void aStatementDoesNotWaitForALongPreparation() throws Exception {
    CountDownLatch loaded = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    Planner slow =
        new Planner() {
          @Override
          public int concurrent() {
            return 1;
          }

          @Override
          public void prepare() throws InterruptedException {
            begun.incrementAndGet();
            loaded.await();
          }

          @Override
          public byte[] answer(byte[] request) {
            return right(PlanRequest.ofText(new String(request, StandardCharsets.UTF_8)));
          }
        };
    Planning planning = new Planning(slow, System::nanoTime, SECOND / 5);
    long begin = System.nanoTime();
    for (int i = 0; i < 5; i++) assertTrue(fault(planning, "a", "s" + i).contains("is being loaded"));
    assertTrue(fault(planning, "a", "s0").contains("has used up its time"));
    assertTrue(System.nanoTime() - begin < 10 * SECOND);
    loaded.countDown();
    for (int i = 0; i < 100; i++) {
      try {
        planning.plan(PlanRequest.ofText("a"), "t" + i);
        assertEquals(1, begun.get());
        return;
      } catch (PlanFault e) {
        Thread.sleep(20);
      }
    }
    fail();
  }

  @Test
  public void whateverThePlannerDiesOfIsAReason() {
    Throwable[] deaths = {
      new OutOfMemoryError("heap"), new StackOverflowError(), new UnsupportedClassVersionError("55"), new IllegalStateException("x"),
      new NoClassDefFoundError("y")
    };
    for (Throwable death : deaths) {
      Fake fake = new Fake(request -> PlanningTest.<byte[], RuntimeException>thrown(death));
      String message = fault(planning(fake), "a", null);
      assertTrue(message, message.startsWith("the planner died: " + death.getClass().getName()));
    }
  }

  @SuppressWarnings("unchecked")
  private static <T, E extends Throwable> T thrown(Throwable death) throws E {
    throw (E) death;
  }

  @Test
  public void garbageAndAnswersToOthersAreReasons() {
    Fake fake = new Fake(request -> "hello".getBytes(StandardCharsets.UTF_8));
    assertTrue(fault(planning(fake), "a", null).contains("did not answer as agreed"));
    fake.behaviour = request -> right(PlanRequest.ofText("other"));
    assertTrue(fault(planning(fake), "a", null).contains("one to another request"));
    fake.behaviour = request -> new byte[] {(byte) 0xC3};
    assertTrue(fault(planning(fake), "a", null).contains("not UTF-8"));
  }

  @Test
  public void aPlannerThatHangsIsLeft() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    Fake fake =
        new Fake(
            request -> {
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
              }
              return null;
            });
    Planning planning = new Planning(fake, System::nanoTime, SECOND / 5);
    long begin = System.nanoTime();
    assertTrue(fault(planning, "a", "s").contains("did not answer in time"));
    assertTrue(System.nanoTime() - begin < 5 * SECOND);
    assertTrue(fault(planning, "b", "s").contains("has used up its time for planning"));
    assertEquals("the second request was not sent", 1, fake.asked.get());
    for (int i = 0; i < 100 && interrupted.get() == 0; i++) Thread.sleep(20);
    assertEquals(1, interrupted.get());
  }

  @Test
  public void aStatementHasOneTimeForAllItsScans() throws Exception {
    Fake fake =
        new Fake(
            request -> {
              now.addAndGet(SECOND * 9 / 10);
              return right(request);
            });
    Planning planning = planning(fake);
    planning.plan(PlanRequest.ofText("a"), "s");
    planning.plan(PlanRequest.ofText("b"), "s");
    planning.plan(PlanRequest.ofText("c"), "s");
    assertTrue(fault(planning, "d", "s").contains("has used up its time"));
    planning.plan(PlanRequest.ofText("a"), "s"); // a kept answer needs no time
    planning.plan(PlanRequest.ofText("d"), "another");
    assertEquals(4, fake.asked.get());
  }

  @Test
  public void afterThreeFailuresNoneForAMinute() throws Exception {
    Fake fake = new Fake(request -> new byte[0]);
    Planning planning = planning(fake);
    for (int i = 0; i < 3; i++) fault(planning, "a", "s" + i);
    for (int i = 0; i < 5; i++) assertTrue(fault(planning, "a", "t" + i).contains("failed 3 times in a row"));
    assertEquals(3, fake.asked.get());
    now.addAndGet(61 * SECOND);
    fault(planning, "a", "u");
    assertTrue(fault(planning, "a", "v").contains("failed 4 times in a row"));
    assertEquals("one more after the minute", 4, fake.asked.get());
    now.addAndGet(61 * SECOND);
    fake.behaviour = PlanningTest::right;
    planning.plan(PlanRequest.ofText("a"), "w");
    fake.behaviour = request -> new byte[0];
    fault(planning, "b", "x");
    fault(planning, "c", "x");
    assertEquals("two failures are no pause", 7, fake.asked.get());
  }

  /** A table with a schema that the planner refuses must not stop the plans of others. */
  @Test
  public void refusedRequestsAreNoFailures() throws Exception {
    Fake fake =
        new Fake(
            request -> {
              throw PlanFault.ofRequest("no");
            });
    Planning planning = planning(fake);
    for (int i = 0; i < 10; i++) assertEquals("no", fault(planning, "a", null));
    assertEquals(10, fake.asked.get());
  }

  @Test
  public void manyStatementsAtOnce() throws Exception {
    AtomicInteger atWork = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Fake fake =
        new Fake(
            request -> {
              most.accumulateAndGet(atWork.incrementAndGet(), Math::max);
              Thread.sleep(10);
              atWork.decrementAndGet();
              return right(request);
            });
    Planning planning = new Planning(fake, System::nanoTime, 20 * SECOND);
    List<Thread> threads = new ArrayList<>();
    AtomicInteger planned = new AtomicInteger();
    for (int i = 0; i < 64; i++) {
      String request = "r" + i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  planning.plan(PlanRequest.ofText(request), request);
                  planned.incrementAndGet();
                } catch (PlanFault e) {
                  e.printStackTrace();
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) thread.join();
    assertEquals(64, planned.get());
    assertTrue(most.get() + " at once", most.get() <= 4);
  }

  @Test
  public void aCancelledStatementIsStillCancelled() {
    Fake fake =
        new Fake(
            request -> {
              Thread.sleep(60_000);
              return null;
            });
    Thread.currentThread().interrupt();
    assertEquals("the statement was cancelled", fault(new Planning(fake), "a", null));
    assertTrue(Thread.interrupted());
    assertFalse(Thread.interrupted());
  }
}
