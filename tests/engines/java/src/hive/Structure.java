import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.lib.Node;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.ParseException;

/**
 * The query blocks of a statement as Hive's own parser finds them, each in a line: its relations with their aliases, how they are
 * joined, whether a join has an ON, and which of its inserts have a WHERE. Lines are sorted. A query in
 * brackets that Hive named itself, such as `_u1` of a UNION, is not a block.
 */
class Structure {
  private final List<String> blocks = new ArrayList<>();

  /** Statements lie between characters of code 0, and so do the answers. */
  static String of(String statements) throws Exception {
    Statement parser = new Statement();
    StringBuilder answers = new StringBuilder();
    for (String statement : statements.split("\0", -1)) {
      if (answers.length() > 0) answers.append('\0');
      answers.append(ofOne(parser, statement));
    }
    return answers.toString();
  }

  private static String ofOne(Statement parser, String statement) throws Exception {
    try {
      Structure structure = new Structure();
      structure.find((ASTNode) parser.parse(statement));
      structure.blocks.sort(null);
      return String.join("\n", structure.blocks);
    } catch (ParseException error) {
      return "error: " + error.getMessage().replace('\n', ' ').replace('\0', ' ');
    } catch (RuntimeException | StackOverflowError error) {
      return "error: " + error;
    }
  }

  private void find(ASTNode root) {
    List<ASTNode> open = new ArrayList<>();
    open.add(root);
    while (!open.isEmpty()) {
      ASTNode node = open.remove(open.size() - 1);
      if (text(node).equals("TOK_QUERY")) block(node);
      for (ASTNode child : children(node)) open.add(child);
    }
  }

  private void block(ASTNode query) {
    StringBuilder line = new StringBuilder();
    for (ASTNode child : children(query)) {
      if (text(child).equals("TOK_FROM")) {
        if (isMade(children(child).get(0))) return;
        relation(children(child).get(0), line);
      }
    }
    for (ASTNode child : children(query)) {
      if (!text(child).equals("TOK_INSERT")) continue;
      boolean hasWhere = children(child).stream().anyMatch(part -> text(part).equals("TOK_WHERE"));
      line.append(hasWhere ? " where" : " all");
    }
    blocks.add(line.toString());
  }

  /** Whether Hive created this query in brackets for a set operation. */
  private static boolean isMade(ASTNode from) {
    if (!text(from).equals("TOK_SUBQUERY")) return false;
    String alias = text(children(from).get(children(from).size() - 1));
    return alias.matches("_u\\d+");
  }

  private void relation(ASTNode node, StringBuilder line) {
    List<ASTNode> children = children(node);
    switch (text(node)) {
      case "TOK_TABREF":
        List<String> name = new ArrayList<>();
        for (ASTNode part : children(children.get(0))) name.add(name(part));
        line.append(String.join(".", name)).append(':').append(alias(children));
        break;
      case "TOK_SUBQUERY":
        line.append("():").append(alias(children));
        break;
      case "TOK_LATERAL_VIEW":
      case "TOK_LATERAL_VIEW_OUTER":
        relation(children.get(1), line);
        break;
      case "TOK_JOIN":
      case "TOK_CROSSJOIN":
        join('I', children, line);
        break;
      case "TOK_LEFTOUTERJOIN":
        join('L', children, line);
        break;
      case "TOK_RIGHTOUTERJOIN":
        join('R', children, line);
        break;
      case "TOK_FULLOUTERJOIN":
        join('F', children, line);
        break;
      case "TOK_LEFTSEMIJOIN":
        join('S', children, line);
        break;
      default:
        line.append(text(node));
    }
  }

  private void join(char kind, List<ASTNode> children, StringBuilder line) {
    line.append(kind).append('(');
    relation(children.get(0), line);
    line.append(' ');
    relation(children.get(1), line);
    boolean hasOn = children.size() > 2 && !text(children.get(2)).equals("TOK_TABCOLNAME");
    line.append(hasOn ? ")on" : ")");
  }

  /** The last child that is a name. */
  private static String alias(List<ASTNode> children) {
    ASTNode last = children.get(children.size() - 1);
    return children.size() > 1 && !text(last).startsWith("TOK_") ? name(last) : "";
  }

  private static String name(ASTNode node) {
    String text = text(node).toLowerCase(java.util.Locale.ROOT);
    boolean isQuoted = text.length() > 1 && text.startsWith("`") && text.endsWith("`");
    return isQuoted ? text.substring(1, text.length() - 1).replace("``", "`") : text;
  }

  private static String text(ASTNode node) {
    return node.getText() == null ? "" : node.getText();
  }

  private static List<ASTNode> children(ASTNode node) {
    List<ASTNode> children = new ArrayList<>();
    if (node.getChildren() != null) for (Node child : node.getChildren()) children.add((ASTNode) child);
    return children;
  }
}
