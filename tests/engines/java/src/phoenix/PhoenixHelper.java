import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs statements of Apache Phoenix on the HBase of the lab.
 *
 * <ul>
 *   <li>run: every line of the request is a statement; UPSERTs are committed at the end
 *   <li>query: every line is a SELECT of one whole number a row; a line of the answer has its numbers in order, with commas between
 *       them
 * </ul>
 */
public class PhoenixHelper {
  private final Connection connection;

  private PhoenixHelper(Connection connection) {
    this.connection = connection;
  }

  public static void main(String[] args) throws Exception {
    Frames frames = new Frames();
    Connection connection = DriverManager.getConnection("jdbc:phoenix");
    connection.setAutoCommit(false);
    frames.serve(new PhoenixHelper(connection)::answer);
  }

  private String answer(String verb, String body) throws Exception {
    StringBuilder answers = new StringBuilder();
    for (String line : body.split("\n")) {
      try (Statement statement = connection.createStatement()) {
        switch (verb) {
          case "run":
            statement.execute(line);
            break;
          case "query":
            answers.append(numbers(statement.executeQuery(line))).append('\n');
            break;
          default:
            throw new Frames.Failure("no such verb: " + verb);
        }
      } catch (Exception error) {
        throw new IllegalArgumentException(line, error);
      }
    }
    connection.commit();
    return answers.toString();
  }

  /** With all rows, so that one that comes twice is seen. */
  private static String numbers(ResultSet rows) throws Exception {
    List<Integer> numbers = new ArrayList<>();
    while (rows.next()) numbers.add(Integer.valueOf(rows.getString(1)));
    Collections.sort(numbers);
    return String.join(",", numbers.stream().map(String::valueOf).toList());
  }
}
