package io.saltplan.hive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes strings of JSON and reads the answer of the planner, strictly. It is our own because no library is on the class path of
 * every Hive: each version has another Jackson, distributions leave the older one out, and newer ones move it to other packages.
 */
final class Json {
  private static final int MAX_DEPTH = 8;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** A text in quotes. Everything outside ASCII is escaped, so that the bytes do not depend on an encoding. */
  static void write(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c >= ' ' && c < 0x7F) out.append(c);
      else out.append(String.format("\\u%04x", (int) c));
    }
    out.append('"');
  }

  /**
   * A whole document: a {@code Map}, {@code List}, {@code String}, {@code Long}, {@code Boolean} or null. Of the numbers only
   * whole ones are understood, and no key may occur twice.
   */
  static Object read(String text) throws Malformed {
    Json json = new Json(text);
    Object value = json.value(0);
    json.blanks();
    if (json.at != text.length()) throw json.malformed("more than one value");
    return value;
  }

  /** The text is not what was agreed on. */
  static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  private Malformed malformed(String what) {
    return new Malformed(what + " at character " + at);
  }

  private Object value(int depth) throws Malformed {
    if (depth > MAX_DEPTH) throw malformed("too many levels");
    blanks();
    if (at == text.length()) throw malformed("the end");
    switch (text.charAt(at)) {
      case '{':
        return map(depth);
      case '[':
        return list(depth);
      case '"':
        return string();
      case 't':
        return word("true", Boolean.TRUE);
      case 'f':
        return word("false", Boolean.FALSE);
      case 'n':
        return word("null", null);
      default:
        return number();
    }
  }

  private Map<String, Object> map(int depth) throws Malformed {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    if (take('}')) return map;
    do {
      blanks();
      if (at == text.length() || text.charAt(at) != '"') throw malformed("no key");
      String key = string();
      need(':');
      Object value = value(depth + 1);
      if (map.containsKey(key)) throw malformed("a key twice");
      map.put(key, value);
    } while (take(','));
    need('}');
    return map;
  }

  private List<Object> list(int depth) throws Malformed {
    List<Object> list = new ArrayList<>();
    at++;
    if (take(']')) return list;
    do list.add(value(depth + 1));
    while (take(','));
    need(']');
    return list;
  }

  private String string() throws Malformed {
    StringBuilder out = new StringBuilder();
    at++;
    while (true) {
      char c = next();
      if (c == '"') return out.toString();
      if (c < ' ') throw malformed("a control character");
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() throws Malformed {
    char c = next();
    int simple = "\"\\/bfnrt".indexOf(c);
    if (simple >= 0) return "\"\\/\b\f\n\r\t".charAt(simple);
    if (c != 'u') throw malformed("an unknown escape");
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char digit = next();
      int value = digit < 0x80 ? Character.digit(digit, 16) : -1;
      if (value < 0) throw malformed("an unknown escape");
      code = code * 16 + value;
    }
    return (char) code;
  }

  private Long number() throws Malformed {
    int start = at;
    if (text.charAt(at) == '-') at++;
    int first = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
    boolean isNumber = at > first && at - first <= 18 && (text.charAt(first) != '0' || at - first == 1);
    if (!isNumber) throw malformed("no value");
    return Long.valueOf(text.substring(start, at));
  }

  private Object word(String word, Object value) throws Malformed {
    if (!text.startsWith(word, at)) throw malformed("no value");
    at += word.length();
    return value;
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private char next() throws Malformed {
    if (at == text.length()) throw malformed("the end");
    return text.charAt(at++);
  }

  private boolean take(char sign) {
    blanks();
    boolean isNext = at < text.length() && text.charAt(at) == sign;
    if (isNext) at++;
    return isNext;
  }

  private void need(char sign) throws Malformed {
    if (!take(sign)) throw malformed("no '" + sign + "'");
  }
}
