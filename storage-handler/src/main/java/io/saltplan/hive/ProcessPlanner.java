package io.saltplan.hive;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Asks the program that the configuration of the server names. It gets the request on standard input, an empty environment, and
 * nothing of a table in its arguments.
 */
final class ProcessPlanner implements Planner {
  static final int MAX_ANSWER = 4 << 20;
  /** Of what it writes on standard error only a line is shown. */
  private static final int MAX_ERROR = 4096;
  /** The program says with it that it does not understand the request. */
  private static final int REFUSED = 2;

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
      Reader answer = new Reader(process.getInputStream(), MAX_ANSWER, true);
      Reader error = new Reader(process.getErrorStream(), MAX_ERROR, false);
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
    ProcessBuilder builder = new ProcessBuilder(command).directory(new File("/"));
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

  /** Reads to the end, and keeps no more than a number of bytes. */
  private static final class Reader extends Thread {
    final ByteArrayOutputStream read = new ByteArrayOutputStream();
    volatile boolean isTooLong;
    volatile String failure;
    private final InputStream in;
    private final int limit;
    private final boolean endsAtLimit;

    Reader(InputStream in, int limit, boolean endsAtLimit) {
      super("saltplan answer");
      setDaemon(true);
      this.in = in;
      this.limit = limit;
      this.endsAtLimit = endsAtLimit;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[8192];
      try (InputStream open = in) {
        for (int count = open.read(buffer); count >= 0; count = open.read(buffer)) {
          int kept = Math.min(count, limit - read.size());
          read.write(buffer, 0, kept);
          if (kept < count) {
            isTooLong = true;
            // The pipe is closed, so that a program without end dies of it.
            if (endsAtLimit) return;
          }
        }
      } catch (IOException e) {
        failure = String.valueOf(e.getMessage());
      }
    }
  }
}
