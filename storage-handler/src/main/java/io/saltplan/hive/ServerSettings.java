package io.saltplan.hive;

import java.lang.management.ManagementFactory;
import java.net.URL;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;

/**
 * Settings that only who runs the server can make: in its hive-site.xml, or with -D on the command line of its Java. Not from the
 * configuration of a statement, which {@code SET}, {@code --hiveconf} and a JDBC URL reach, and not from the properties of the
 * system, which {@code SET system:} reaches.
 */
final class ServerSettings {
  static final String COMMAND = "saltplan.command";
  static final String REQUIRED = "saltplan.required";
  /** The zone of the Java machines of all tasks, such as {@code Asia/Shanghai}: what {@code -Duser.timezone} of theirs says. */
  static final String TASKS_ZONE = "saltplan.tasks.zone";
  /** How many seconds a statement may spend on planning; 2 if it is not set. */
  static final String SECONDS = "saltplan.planning.seconds";

  private static final int MAX_SECONDS = 60;

  private final Configuration site;
  private final List<String> arguments;

  ServerSettings(URL site, List<String> arguments) {
    this.site = new Configuration(false);
    if (site != null) this.site.addResource(site);
    this.arguments = arguments;
  }

  /** Those of this process, as it was started. */
  static ServerSettings ofThisProcess() {
    return Own.SETTINGS;
  }

  private static final class Own {
    static final ServerSettings SETTINGS =
        new ServerSettings(HiveConf.getHiveSiteLocation(), ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  /** The words of the command that plans; null if there is none, and the module of the jar is used. */
  String[] command() {
    String command = get(COMMAND);
    return command == null ? null : command.split("\\s+");
  }

  boolean isRequired() {
    return Boolean.parseBoolean(get(REQUIRED));
  }

  /** Null if it is not known. */
  String tasksZone() {
    return get(TASKS_ZONE);
  }

  /** What is no number from 1 to 60 is not used. */
  int planningSeconds() {
    String seconds = get(SECONDS);
    if (seconds == null || !seconds.matches("[0-9]{1,2}")) return Planning.STATEMENT_SECONDS;
    int set = Integer.parseInt(seconds);
    return set >= 1 && set <= MAX_SECONDS ? set : Planning.STATEMENT_SECONDS;
  }

  /** Null if it is not set, or empty. The text as it is written, because variables in it could be properties of the system. */
  private String get(String name) {
    String value = null;
    String start = "-D" + name + "=";
    for (String argument : arguments) {
      if (argument.startsWith(start)) value = argument.substring(start.length());
    }
    if (value == null) value = site.getRaw(name);
    return value == null || value.trim().isEmpty() ? null : value.trim();
  }
}
