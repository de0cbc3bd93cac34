package io.saltplan.hive;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
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
  static final int STATEMENT_SECONDS = 2;
  /** Once in the life of the process. Statements wait for it no longer than for an answer, and it goes on without them. */
  private static final long PREPARATION_NANOS = TimeUnit.SECONDS.toNanos(60);

  private static final int FAILURES = 3;
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int STATEMENTS = 1000;
  private static final int KEPT_ANSWERS = 500;
  /** Of the requests and the keys that are kept, about as many bytes of memory. */
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
  private long keptLength;
  private int failures;
  private long pauseEnd;
  private boolean isPrepared;
  /** What loads the planner; null before and after. */
  private FutureTask<Void> preparation;

  private long preparationBegin;

  Planning(Planner planner) {
    this(planner, System::nanoTime, TimeUnit.SECONDS.toNanos(STATEMENT_SECONDS));
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
      Planner planner = command == null ? new ModulePlanner() : new ProcessPlanner(command);
      return new Planning(planner, System::nanoTime, TimeUnit.SECONDS.toNanos(server.planningSeconds()));
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
    long begin = clock.getAsLong();
    try {
      prepare(left(statement));
      use(statement, clock.getAsLong() - begin);
      begin = clock.getAsLong();
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

  /** Waits for the planner to be loaded, in a thread of its own, which other statements wait for too. */
  private void prepare(long nanos) throws PlanFault {
    FutureTask<Void> task;
    synchronized (this) {
      if (isPrepared) return;
      if (preparation == null) beginPreparation();
      task = preparation;
    }
    try {
      task.get(nanos, TimeUnit.NANOSECONDS);
      prepared(task, true);
    } catch (TimeoutException e) {
      if (isLate()) {
        prepared(task, false);
        throw new PlanFault("the planner was not loaded within " + TimeUnit.NANOSECONDS.toSeconds(PREPARATION_NANOS) + " s");
      }
      throw PlanFault.ofRequest("the planner is being loaded, which takes longer than a statement waits");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PlanFault.ofRequest("the statement was cancelled");
    } catch (ExecutionException e) {
      prepared(task, false);
      if (e.getCause() instanceof PlanFault) throw (PlanFault) e.getCause();
      throw new PlanFault("the planner died: " + PlanAnswer.shown(e.getCause()));
    } catch (CancellationException e) {
      throw PlanFault.ofRequest("the planner was not loaded");
    }
  }

  private void beginPreparation() throws PlanFault {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              planner.prepare();
              return null;
            });
    try {
      start(task);
    } catch (OutOfMemoryError e) {
      throw new PlanFault("the planner cannot be started: " + PlanAnswer.shown(e));
    }
    preparation = task;
    preparationBegin = clock.getAsLong();
  }

  private synchronized boolean isLate() {
    return clock.getAsLong() - preparationBegin >= PREPARATION_NANOS;
  }

  private synchronized void prepared(FutureTask<Void> task, boolean isDone) {
    if (task != preparation) return;
    isPrepared = isDone;
    if (!isDone) task.cancel(true);
    preparation = null;
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(null, task, "saltplan planner", STACK_BYTES);
    thread.setDaemon(true);
    thread.setContextClassLoader(Planning.class.getClassLoader());
    thread.start();
    return thread;
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
        thread = start(task);
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
    PlanAnswer before = answers.put(request.text(), answer);
    if (before != null) keptLength -= length(request.text(), before);
    keptLength += length(request.text(), answer);
    while (answers.size() > KEPT_ANSWERS || keptLength > KEPT_LENGTH) {
      Map.Entry<String, PlanAnswer> oldest = answers.entrySet().iterator().next();
      answers.remove(oldest.getKey());
      keptLength -= length(oldest.getKey(), oldest.getValue());
    }
  }

  private static long length(String request, PlanAnswer answer) {
    return request.length() + answer.keys().memory();
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
