import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The protocol of the helpers, over stdin and stdout. A request is a line `VERB LENGTH` and LENGTH bytes of UTF-8; an answer is a
 * line `ok LENGTH MILLISECONDS` or `error LENGTH MILLISECONDS` and LENGTH bytes. One answer `ok` without a request says that the
 * helper is ready. The end of stdin ends the helper at once, even inside a statement, so it never outlives the program that started
 * it.
 */
final class Frames {
  interface Handler {
    String answer(String verb, String body) throws Exception;
  }

  private final InputStream in;
  private final OutputStream out;

  /** Takes stdout for itself: whatever a library prints afterwards goes to stderr. */
  Frames() {
    in = new BufferedInputStream(System.in);
    out = new BufferedOutputStream(System.out);
    System.setOut(System.err);
  }

  void serve(Handler handler) throws Exception {
    BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> readInto(requests), "requests");
    reader.setDaemon(true);
    reader.start();
    write("ok", "ready", 0);
    while (true) {
      Request request = requests.take();
      long begin = System.nanoTime();
      String status;
      String answer;
      try {
        answer = handler.answer(request.verb, request.body);
        status = "ok";
      } catch (Throwable error) {
        answer = describe(error);
        status = "error";
      }
      write(status, answer, (System.nanoTime() - begin) / 1_000_000);
    }
  }

  private static final class Request {
    final String verb;
    final String body;

    Request(String verb, String body) {
      this.verb = verb;
      this.body = body;
    }
  }

  /** Halts at the end of stdin: a statement that waits for a dead HBase would go on for a long time. */
  private void readInto(BlockingQueue<Request> requests) {
    try {
      for (String line = readLine(); line != null; line = readLine()) {
        int space = line.indexOf(' ');
        byte[] body = in.readNBytes(Integer.parseInt(line.substring(space + 1)));
        requests.add(new Request(line.substring(0, space), new String(body, StandardCharsets.UTF_8)));
      }
    } catch (Exception error) {
      error.printStackTrace();
    }
    Runtime.getRuntime().halt(0);
  }

  private static String describe(Throwable error) {
    if (error instanceof Failure) return error.getMessage();
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** A failure that its message describes completely, so that no stack trace is sent. */
  static final class Failure extends Exception {
    Failure(String message) {
      super(message);
    }
  }

  private void write(String status, String answer, long millis) throws IOException {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    out.write((status + " " + bytes.length + " " + millis + "\n").getBytes(StandardCharsets.UTF_8));
    out.write(bytes);
    out.flush();
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        if (line.length() == 0) return null;
        throw new EOFException("stdin ended inside a request");
      }
      line.append((char) c);
    }
    return line.toString();
  }
}
