package io.saltplan.hive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hive.common.util.HiveVersionInfo;

/** What the planner is asked: everything that the ranges depend on, so that equal requests have equal answers. */
final class PlanRequest {
  static final int PROTOCOL = 1;
  /** In bytes, which are characters, because everything else is escaped. */
  static final int MAX_LENGTH = 1 << 20;

  private final String text;

  private PlanRequest(String text) {
    this.text = text;
  }

  static PlanRequest of(String schema, KeyColumn key, ExprNodeDesc filter, Configuration conf) throws FilterJson.TooLarge {
    StringBuilder out = new StringBuilder();
    out.append("{\"protocol\": ").append(PROTOCOL).append(", \"hive\": ");
    // The short one of a vendor's build may be that of Apache's.
    Json.write(out, HiveVersionInfo.getVersion());
    out.append(", \"dialect\": \"hive\", \"schema\": ");
    Json.write(out, schema);
    out.append(", \"key_column\": ");
    Json.write(out, key.name());
    out.append(", \"zone\": ");
    Zones.write(out, conf, HiveVersionInfo.getVersion(), ServerSettings.ofThisProcess().tasksZone());
    out.append(", \"filter\": ");
    FilterJson.write(out, filter, MAX_LENGTH - 1);
    out.append('}');
    return new PlanRequest(out.toString());
  }

  /** A request with this text. */
  static PlanRequest ofText(String text) {
    return new PlanRequest(text);
  }

  String text() {
    return text;
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** As the answer must repeat it. */
  String digest() {
    return sha256(bytes());
  }

  /** In hex, with small letters. */
  static String sha256(byte[] bytes) {
    try {
      return FilterJson.hex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
