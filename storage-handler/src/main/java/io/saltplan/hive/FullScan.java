package io.saltplan.hive;

import java.io.IOException;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.mapred.JobConf;

/**
 * Refuses to read all keys of a table that forbids it. Checked where splits are made, which is where every read begins, also that of a
 * snapshot.
 */
final class FullScan {
  /** Property of a table: {@code refuse}, or nothing. */
  static final String SETTING = "saltplan.full_scan";
  /**
   * Setting of a session: with {@code true} it reads all keys nevertheless. Hive copies the properties of a table into the
   * configuration of a job, over the settings of the session, so no table may have it.
   */
  static final String ALLOW = "saltplan.allow.full_scan";

  /** The property of the table and its name, for a read without a job, which has no plan to take them from. */
  private static final String OF_TABLE = "saltplan.table.full_scan";

  private static final String TABLE = "saltplan.table.name";

  private FullScan() {}

  /** Always set, because Hive leaves the settings of one table in the configuration of the next. */
  static void configure(Properties table, Map<String, String> job) {
    isRefused(table);
    job.put(OF_TABLE, table.getProperty(SETTING, ""));
    job.put(TABLE, table.getProperty("name", ""));
  }

  /** @throws IllegalArgumentException a property of the table has a value that is not known, which would silently guard nothing */
  private static boolean isRefused(Properties table) {
    String name = table.getProperty("name");
    if (table.getProperty(ALLOW) != null) {
      throw new IllegalArgumentException(
          "saltplan: '" + ALLOW + "' is a setting of a session, and table " + name + " has it as a property: remove it there");
    }
    return isRefused(table.getProperty(SETTING), name);
  }

  private static boolean isRefused(String setting, String name) {
    if (setting == null || setting.isEmpty()) return false;
    if (setting.equalsIgnoreCase("refuse")) return true;
    throw new IllegalArgumentException(
        "saltplan: table " + name + " has '" + SETTING + "' = '" + PlanAnswer.shown(setting) + "': the only value is 'refuse'");
  }

  static void refuse(JobConf conf) throws IOException {
    boolean isFetch = conf.get(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST) != null;
    Properties table = isFetch ? null : Pushed.table(conf);
    boolean isRefused = isFetch ? isRefused(conf.get(OF_TABLE), conf.get(TABLE)) : table != null && isRefused(table);
    if (!isRefused || conf.getBoolean(ALLOW, false)) return;
    String name = isFetch ? conf.get(TABLE) : table.getProperty("name");
    throw new IOException(
        "saltplan: this statement would read all keys of " + name + ", which refuses that ('" + SETTING + "' = 'refuse')."
            + " Add a condition on fields of the row key, or 'SET " + ALLOW + "=true' in this session."
            + " EXPLAIN shows the ranges that a statement reads");
  }
}
