package io.saltplan.hive;

import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;

/**
 * The time zones in which Hive reads and prints times: that of the session, and that of the process with its transitions, so that
 * the planner can compare them with its own.
 */
final class Zones {
  /** A setting that came with Hive 3; before, sessions had the zone of the process. */
  private static final String SESSION_ZONE = "hive.local.time.zone";

  private static final long FIRST = Instant.parse("1900-01-01T00:00:00Z").getEpochSecond();
  private static final long LAST = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

  private Zones() {}

  static void write(StringBuilder out, Configuration conf) {
    TimeZone jvm = TimeZone.getDefault();
    String session = conf.get(SESSION_ZONE, "").trim();
    out.append("{\"session\": ");
    Json.write(out, session.isEmpty() || session.equalsIgnoreCase("LOCAL") ? jvm.getID() : session);
    out.append(", \"jvm\": ");
    Json.write(out, jvm.getID());
    out.append(", \"transitions\": [");
    writeTransitions(out, jvm);
    out.append("]}");
  }

  /**
   * Pairs of the second and the offset from then on, from 1900 to 2099. Nothing if the two classes of Java that know the zone do
   * not agree: Hive 2 uses the older one, Hive 3 the other.
   */
  private static void writeTransitions(StringBuilder out, TimeZone zone) {
    int start = out.length();
    ZoneRules rules = zone.toZoneId().getRules();
    Instant at = Instant.ofEpochSecond(FIRST);
    write(out, FIRST, rules.getOffset(at).getTotalSeconds());
    while (true) {
      ZoneOffsetTransition next = rules.nextTransition(at);
      if (next == null || next.toEpochSecond() >= LAST) break;
      long second = next.toEpochSecond();
      int before = next.getOffsetBefore().getTotalSeconds();
      int after = next.getOffsetAfter().getTotalSeconds();
      boolean isCommon =
          zone.getOffset((second - 1) * 1000) == before * 1000 && zone.getOffset(second * 1000) == after * 1000;
      if (!isCommon) {
        out.setLength(start);
        return;
      }
      out.append(", ");
      write(out, second, after);
      at = next.getInstant();
    }
  }

  private static void write(StringBuilder out, long second, int offset) {
    out.append('[').append(second).append(", ").append(offset).append(']');
  }
}
