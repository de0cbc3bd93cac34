package io.saltplan.hive;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Asks a planner within limits: a time for each statement, a pause after some failures, and a number of requests at once. Answers
 * are kept, by the whole request.
 */
final class Planning {
  /** Hive compiles one statement after the other, so that all wait for one. */
  static final long STATEMENT_NANOS = TimeUnit.SECONDS.toNanos(2);
  /** Once in the life of the process. */
  private static final long PREPARATION_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final int FAILURES = 3;
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int STATEMENTS = 1000;
  private static final int KEPT_ANSWERS = 500;
  /** Of the requests that are kept. */
  private static final int KEPT_LENGTH = 16 << 20;
  /** For the module, whose calls are calls of Java. */
  private static final long STACK_BYTES = 16 << 20;

  private final Planner planner;
  private final LongSupplier clock;
  private final long statementNanos;
  private final Semaphore permits;
  /** The time that statements have used, by their id. */
  private final Map<String, Long> used = recent(STATEMENTS);

  private final LinkedHashMap<String, PlanAnswer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private int keptLength;
  private int failures;
  private long pauseEnd;
  private boolean isPrepared;

  Planning(Planner planner) {
    this(planner, System::nanoTime, STATEMENT_NANOS);
  }

  Planning(Planner planner, LongSupplier clock, long statementNanos) {
    this.planner = planner;
    this.clock = clock;
    this.statementNanos = statementNanos;
    this.permits = new Semaphore(planner.concurrent(), true);
  }

  /** With the planner that the server has chosen. */
  static Planning ofThisProcess() {
    return Own.PLANNING;
  }

  private static final class Own {
    static final Planning PLANNING = of(ServerSettings.ofThisProcess());

    private static Planning of(ServerSettings server) {
      String[] command = server.command();
      return new Planning(command == null ? new ModulePlanner() : new ProcessPlanner(command));
    }
  }

  /**
   * The answer to a request.
   *
   * @param statement the id of the statement that is compiled; null if it is not known
   * @throws PlanFault why there is none
   */
  PlanAnswer plan(PlanRequest request, String statement) throws PlanFault {
    PlanAnswer kept = kept(request);
    if (kept != null) return kept;
    refuseInPause();
    prepare();
    long begin = clock.getAsLong();
    try {
      PlanAnswer answer = PlanAnswer.read(ask(() -> planner.answer(request.bytes()), left(statement)), request);
      keep(request, answer);
      return answer;
    } catch (PlanFault fault) {
      if (fault.isOfPlanner()) failed();
      throw fault;
    } finally {
      use(statement, clock.getAsLong() - begin);
    }
  }

  private void prepare() throws PlanFault {
    synchronized (this) {
      if (isPrepared) return;
    }
    try {
      ask(
          () -> {
            planner.prepare();
            return null;
          },
          PREPARATION_NANOS);
    } catch (PlanFault fault) {
      if (fault.isOfPlanner()) failed();
      throw fault;
    }
    synchronized (this) {
      isPrepared = true;
    }
  }

  private interface Work {
    byte[] run() throws PlanFault, InterruptedException;
  }

  /** Runs in a thread that can be left behind; until it ends it counts as one of those at work. */
  private byte[] ask(Work work, long nanos) throws PlanFault {
    long begin = System.nanoTime();
    FutureTask<byte[]> task = null;
    Thread thread = null;
    try {
      if (!permits.tryAcquire(nanos, TimeUnit.NANOSECONDS)) throw PlanFault.ofRequest("the planner is busy with other statements");
      boolean isStarted = false;
      try {
        task =
            new FutureTask<>(
                () -> {
                  try {
                    return work.run();
                  } finally {
                    permits.release();
                  }
                });
        thread = new Thread(null, task, "saltplan planner", STACK_BYTES);
        thread.setDaemon(true);
        thread.setContextClassLoader(Planning.class.getClassLoader());
        thread.start();
        isStarted = true;
      } finally {
        if (!isStarted) permits.release();
      }
      return task.get(Math.max(1, nanos - (System.nanoTime() - begin)), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      thread.interrupt();
      throw new PlanFault("the planner did not answer in time, within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
    } catch (InterruptedException e) {
      if (thread != null) thread.interrupt();
      Thread.currentThread().interrupt();
      throw PlanFault.ofRequest("the statement was cancelled");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof PlanFault) throw (PlanFault) e.getCause();
      throw new PlanFault("the planner died: " + PlanAnswer.shown(e.getCause()));
    } catch (OutOfMemoryError e) {
      // Java says so when it cannot start a thread.
      throw new PlanFault("the planner cannot be started: " + PlanAnswer.shown(e));
    }
  }

  private synchronized long left(String statement) throws PlanFault {
    long left = statementNanos - (statement == null ? 0 : used.getOrDefault(statement, 0L));
    if (left <= 0) throw PlanFault.ofRequest("the statement has used up its time for planning");
    return left;
  }

  private synchronized void use(String statement, long nanos) {
    if (statement != null) used.merge(statement, nanos, Long::sum);
  }

  private synchronized void refuseInPause() throws PlanFault {
    if (failures >= FAILURES && clock.getAsLong() - pauseEnd < 0) {
      throw PlanFault.ofRequest("the planner failed " + failures + " times in a row, so it is not asked for a minute");
    }
  }

  private synchronized void failed() {
    failures++;
    pauseEnd = clock.getAsLong() + PAUSE_NANOS;
  }

  private synchronized PlanAnswer kept(PlanRequest request) {
    return answers.get(request.text());
  }

  private synchronized void keep(PlanRequest request, PlanAnswer answer) {
    failures = 0;
    if (answers.put(request.text(), answer) == null) keptLength += request.text().length();
    while (answers.size() > KEPT_ANSWERS || keptLength > KEPT_LENGTH) {
      String oldest = answers.keySet().iterator().next();
      answers.remove(oldest);
      keptLength -= oldest.length();
    }
  }

  /** A map that forgets what was added first. */
  private static <V> Map<String, V> recent(int size) {
    return new LinkedHashMap<String, V>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > size;
      }
    };
  }
}
