package io.saltplan.hive;

import java.io.IOException;
import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Map;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;

/**
 * The time zones in which Hive reads and prints times: that of the session, and that of this process with its transitions, so that
 * the planner can compare them with its own.
 *
 * <p>The process that plans is not the one that evaluates the filter. Hive 2, and later ones whose session has no zone of its own,
 * use the zone of the Java machine of each task. It is known only if the administrator states it
 * ({@link ServerSettings#TASKS_ZONE}), and then each task checks it.
 */
final class Zones {
  /** A setting that came with Hive 3; before, sessions had the zone of the process. */
  private static final String SESSION_ZONE = "hive.local.time.zone";

  /** For tasks, of the server's setting. */
  private static final String OF_TASKS = "saltplan.table.tasks.zone";

  private static final long FIRST = Instant.parse("1900-01-01T00:00:00Z").getEpochSecond();
  private static final long LAST = Instant.parse("2100-01-01T00:00:00Z").getEpochSecond();

  private Zones() {}

  /**
   * @param hive the version of Hive
   * @param tasks the zone of the Java machines of tasks; null if it is not known
   */
  static void write(StringBuilder out, Configuration conf, String hive, String tasks) {
    TimeZone jvm = TimeZone.getDefault();
    String session = hive.startsWith("2.") ? "" : conf.get(SESSION_ZONE, "").trim();
    boolean isOfTasks = session.isEmpty() || session.equalsIgnoreCase("LOCAL");
    out.append("{\"session\": ");
    Json.write(out, !isOfTasks ? session : tasks == null ? "" : tasks);
    out.append(", \"jvm\": ");
    Json.write(out, jvm.getID());
    out.append(", \"transitions\": [");
    writeTransitions(out, jvm);
    out.append("]}");
  }

  /** Tells the tasks of a job which zone the planner was told that they have. */
  static void configure(String tasks, Map<String, String> job) {
    job.put(OF_TASKS, tasks == null ? "" : tasks);
  }

  /** Fails in a task whose zone is not the one that the planner was told. */
  static void check(Configuration job) throws IOException {
    String stated = job.get(OF_TASKS, "");
    String own = TimeZone.getDefault().getID();
    if (stated.isEmpty() || stated.equals(own)) return;
    throw new IOException(
        "saltplan: this task computes in the time zone " + own + ", and " + ServerSettings.TASKS_ZONE + " of the server says " + stated
            + ": start the Java of tasks with -Duser.timezone=" + stated + ", or remove the setting");
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
