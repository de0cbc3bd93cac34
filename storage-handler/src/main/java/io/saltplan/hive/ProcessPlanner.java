package io.saltplan.hive;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Asks the program that the configuration of the server names. It gets the request on standard input, an empty environment, and
 * nothing of a table in its arguments, and it can use 1 GiB of memory.
 */
final class ProcessPlanner implements Planner {
  static final int MAX_ANSWER = 4 << 20;
  /** Of what it writes on standard error only a line is shown. */
  private static final int MAX_ERROR = 4096;
  /** The program says with it that it does not understand the request. */
  private static final int REFUSED = 2;

  static final int MEMORY_KIB = 1 << 20;
  /** Java cannot limit the memory of a program. The shell can, and the program takes its place. */
  private static final String LIMITED = "ulimit -v " + MEMORY_KIB + " 2>/dev/null; exec \"$@\"";

  private final String[] command;

  ProcessPlanner(String... command) {
    this.command = command.clone();
  }

  @Override
  public int concurrent() {
    return 8;
  }

  @Override
  public byte[] answer(byte[] request) throws PlanFault, InterruptedException {
    if (!new File(command[0]).isAbsolute()) {
      throw new PlanFault(ServerSettings.COMMAND + " begins with '" + PlanAnswer.shown(command[0]) + "', which is no absolute path");
    }
    Process process = start();
    try {
      // Each pipe has its own thread, because a program that writes before it has read everything would block both sides.
      Reader answer = new Reader(process, process.getInputStream(), MAX_ANSWER, true);
      Reader error = new Reader(process, process.getErrorStream(), MAX_ERROR, false);
      answer.start();
      error.start();
      Writer writer = new Writer(process.getOutputStream(), request);
      writer.start();
      int code = process.waitFor();
      answer.join();
      error.join();
      if (answer.isTooLong) throw new PlanFault("the planner wrote more than " + MAX_ANSWER + " bytes");
      if (answer.failure != null) throw new PlanFault("the answer of the planner cannot be read: " + answer.failure);
      return finished(code, answer.read.toByteArray(), new String(error.read.toByteArray(), StandardCharsets.UTF_8));
    } finally {
      process.destroyForcibly();
    }
  }

  /** The answer of a planner that ended with this code. */
  static byte[] finished(int code, byte[] answer, String error) throws PlanFault {
    if (code == 0) return answer;
    String message = PlanAnswer.shown(error);
    if (code == REFUSED && answer.length == 0) throw PlanFault.ofRequest("the planner refuses the request: " + message);
    throw new PlanFault("the planner ended with code " + code + (message.isEmpty() ? "" : ": " + message));
  }

  private Process start() throws PlanFault {
    if (!new File(command[0]).canExecute()) {
      throw new PlanFault("the planner cannot be started: " + PlanAnswer.shown(command[0]) + " is no program");
    }
    List<String> words = new ArrayList<>(Arrays.asList("/bin/sh", "-c", LIMITED, "saltplan"));
    words.addAll(Arrays.asList(command));
    ProcessBuilder builder = new ProcessBuilder(words).directory(new File("/"));
    builder.environment().clear();
    try {
      return builder.start();
    } catch (IOException e) {
      throw new PlanFault("the planner cannot be started: " + e.getMessage());
    }
  }

  private static final class Writer extends Thread {
    private final OutputStream out;
    private final byte[] request;

    Writer(OutputStream out, byte[] request) {
      super("saltplan request");
      setDaemon(true);
      this.out = out;
      this.request = request;
    }

    @Override
    public void run() {
      try (OutputStream open = out) {
        open.write(request);
      } catch (IOException e) {
        // A program that does not read its request cannot know its digest, and so cannot answer it.
      }
    }
  }

  /**
   * Reads to the end of the program, and keeps no more than a number of bytes. What is not there yet is not waited for in a read,
   * which nothing ends if a child of the program keeps the pipe open.
   */
  private static final class Reader extends Thread {
    private static final int PAUSE_MILLIS = 1;

    final ByteArrayOutputStream read = new ByteArrayOutputStream();
    volatile boolean isTooLong;
    volatile String failure;
    private final Process process;
    private final InputStream in;
    private final int limit;
    private final boolean endsAtLimit;

    Reader(Process process, InputStream in, int limit, boolean endsAtLimit) {
      super("saltplan answer");
      setDaemon(true);
      this.process = process;
      this.in = in;
      this.limit = limit;
      this.endsAtLimit = endsAtLimit;
    }

    @Override
    public void run() {
      try (InputStream open = in) {
        while (true) {
          // Asked first: what it wrote before it ended is there afterwards.
          boolean isEnded = !process.isAlive();
          int ready = open.available();
          if (ready == 0) {
            if (isEnded) return;
            Thread.sleep(PAUSE_MILLIS);
          } else if (!keep(open, ready) && endsAtLimit) {
            // The pipe is closed, so that a program without end dies of it.
            return;
          }
        }
      } catch (IOException e) {
        // The stream of a program that was ended.
        if (process.isAlive()) failure = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        failure = "interrupted";
      }
    }

    private boolean keep(InputStream open, int ready) throws IOException {
      byte[] buffer = new byte[Math.min(ready, 8192)];
      int count = Math.max(0, open.read(buffer));
      int kept = Math.min(count, limit - read.size());
      read.write(buffer, 0, kept);
      isTooLong |= kept < count;
      return kept == count;
    }
  }
}
