import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.antlr.runtime.tree.Tree;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * How Hive reads conditions, without a session. Every line of stdin is a condition, every line of stdout the tree that Hive makes of
 * it after WHERE: its nodes, children before their parents, each as the name of its token, its text and the number of its children,
 * with tabs between them. A string literal has its value for a text. A condition that Hive refuses gives a line that starts with
 * {@code !}. In both directions backslashes, tabs and ends of lines are written as {@code \\}, {@code \t}, {@code \n} and
 * {@code \r}.
 */
public class Trees {
  static final Map<Integer, String> TOKENS = tokens();

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    BufferedWriter out = new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8));
    System.setOut(System.err);
    Statement statement = new Statement();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      StringBuilder answer = new StringBuilder();
      try {
        write(condition(statement.parse("SELECT * FROM t WHERE " + unescaped(line))), answer);
      } catch (Exception | StackOverflowError error) {
        answer.setLength(0);
        answer.append('!').append(escaped(String.valueOf(error.getMessage())));
      }
      out.write(answer.append('\n').toString());
    }
    out.flush();
  }

  /** ANTLR's own list of the names ends too early. */
  private static Map<Integer, String> tokens() {
    Map<Integer, String> names = new HashMap<>();
    try {
      for (Field token : HiveParser.class.getFields()) {
        if (token.getType() == int.class) names.put(token.getInt(null), token.getName());
      }
    } catch (IllegalAccessException error) {
      throw new IllegalStateException(error);
    }
    return names;
  }

  /** The statement must be one SELECT with a WHERE and no other clause, so that the condition is all that was read. */
  static Tree condition(Tree root) throws Exception {
    Tree query = root.getText() == null ? root.getChild(0) : root;
    Tree insert = query.getChild(1);
    if (query.getChildCount() != 2 || insert.getChildCount() != 3 || insert.getChild(2).getType() != HiveParser.TOK_WHERE) {
      throw new Exception("more than a condition");
    }
    return insert.getChild(2).getChild(0);
  }

  private static void write(Tree node, StringBuilder out) {
    for (int i = 0; i < node.getChildCount(); i++) write(node.getChild(i), out);
    String text = node.getText();
    Tree before = node.getChildIndex() == 1 ? node.getParent().getChild(0) : null;
    // The tree contains the unit of an interval as a number.
    if (before != null && before.getText().equals("internal_interval")) text = TOKENS.get(Integer.parseInt(text));
    if (node.getType() == HiveParser.StringLiteral) text = BaseSemanticAnalyzer.unescapeSQLString(text);
    if (out.length() > 0) out.append('\t');
    out.append(TOKENS.get(node.getType())).append('\t').append(escaped(text));
    out.append('\t').append(node.getChildCount());
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String line) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c != '\\') {
        text.append(c);
        continue;
      }
      char escape = line.charAt(++i);
      text.append(escape == 't' ? '\t' : escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape);
    }
    return text.toString();
  }
}
