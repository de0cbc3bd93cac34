import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;

/**
 * Answers each line of stdin with a line of stdout. Fields have tabs between them; in a field backslashes, tabs and ends of lines are
 * written as {@code \\}, {@code \t}, {@code \n} and {@code \r}.
 */
final class Lines {
  private final BufferedWriter out;

  /** Comes first in a program: whatever else writes to stdout, such as the log of Hive, writes to stderr from now on. */
  Lines() {
    out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    System.setOut(System.err);
  }

  interface Answer {
    String to(String[] fields) throws Exception;
  }

  /** A line that fails gives {@code !} and the message. */
  void answer(Answer answer) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String text;
      try {
        text = answer.to(line.split("\t", -1));
      } catch (Exception | Error error) {
        text = '!' + escaped(message(error));
      }
      out.write(text + '\n');
    }
    out.flush();
  }

  void print(Iterable<String> lines) throws IOException {
    for (String line : lines) out.write(line + '\n');
    out.flush();
  }

  static String message(Throwable error) {
    return error.getMessage() == null ? error.getClass().getName() : error.getMessage();
  }

  static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
  }

  static String unescaped(String field) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escape = field.charAt(++i);
      text.append(escape == 't' ? '\t' : escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape);
    }
    return text.toString();
  }
}
