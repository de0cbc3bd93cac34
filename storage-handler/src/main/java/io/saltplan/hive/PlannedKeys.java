package io.saltplan.hive;

import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.hbase.AbstractHBaseKeyFactory;
import org.apache.hadoop.hive.hbase.HBaseKeyFactory;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The row keys that the filter of a table can need, as the planner computes them from the schema in the properties of the table.
 * If a plan is wanted and there is none, all keys are read, and Hive's log says why; or the statement fails, if that is required.
 */
final class PlannedKeys {
  /** Property of a table: its schema, and the SHA-256 of that text. */
  static final String SCHEMA = "saltplan.schema";

  static final String SCHEMA_DIGEST = "saltplan.schema.digest";
  /** Setting of a session: with {@code false} nothing is planned. */
  static final String PLAN = "saltplan.plan";

  private static final Logger LOG = LoggerFactory.getLogger(PlannedKeys.class);
  private static final String STATEMENT_ID = "hive.query.id";
  /** What was said lately, so that it is said once for each statement. */
  private static final Map<String, Boolean> SAID =
      new LinkedHashMap<String, Boolean>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > 1000;
        }
      };

  private final Planning planning;
  private final boolean isRequiredByServer;

  PlannedKeys(Planning planning, boolean isRequiredByServer) {
    this.planning = planning;
    this.isRequiredByServer = isRequiredByServer;
  }

  /** {@link #of} with the planner of this process. Also if its classes cannot be loaded, a statement runs. */
  static KeySet ofThisProcess(Configuration session, HBaseSerDe serde, KeyColumn key, ExprNodeDesc filter) {
    Properties table = of(serde);
    PlannedKeys own;
    try {
      own = new PlannedKeys(Planning.ofThisProcess(), ServerSettings.ofThisProcess().isRequired());
    } catch (RuntimeException | LinkageError e) {
      return new PlannedKeys(null, false).of(session, table, key, filter, () -> {
        throw PlanFault.ofRequest("the planner cannot be loaded: " + PlanAnswer.shown(e));
      });
    }
    return own.of(session, table, key, filter);
  }

  /**
   * All keys if no plan is wanted, or there is none.
   *
   * @param session the configuration of the statement, of which only what a session may decide is used
   * @param key null if conditions on the key column say nothing about bytes
   * @throws IllegalStateException there is no plan, all keys would be read, and that is not allowed
   */
  KeySet of(Configuration session, Properties table, KeyColumn key, ExprNodeDesc filter) {
    return of(session, table, key, filter, () -> answer(table, session, key, filter));
  }

  private interface Asking {
    PlanAnswer answer() throws PlanFault, FilterJson.TooLarge;
  }

  private KeySet of(Configuration session, Properties table, KeyColumn key, ExprNodeDesc filter, Asking asking) {
    String schema = table == null ? null : table.getProperty(SCHEMA);
    if (schema == null || !session.getBoolean(PLAN, true)) return KeySet.ALL;
    String statement = session.get(STATEMENT_ID);
    String reason;
    try {
      PlanAnswer answer = asking.answer();
      reason = answer.reason() != null ? answer.reason() : answer.keys().isAll() ? "the planner says so" : null;
      if (reason == null) return answer.keys();
    } catch (PlanFault fault) {
      reason = fault.getMessage();
    } catch (FilterJson.TooLarge e) {
      reason = "the condition is longer than " + PlanRequest.MAX_LENGTH + " bytes";
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      // Such as a class that this build of Hive does not have. Other errors, of memory, are fatal.
      reason = "the planner cannot be asked: " + PlanAnswer.shown(e);
    }
    // Ranges that the statement itself names are read without a plan.
    if (key == null || Condition.keys(filter, key).isAll()) unplanned(session, table.getProperty("name"), statement, reason);
    return KeySet.ALL;
  }

  private PlanAnswer answer(Properties table, Configuration session, KeyColumn key, ExprNodeDesc filter)
      throws PlanFault, FilterJson.TooLarge {
    String schema = table.getProperty(SCHEMA);
    String digest = table.getProperty(SCHEMA_DIGEST);
    if (key == null) throw PlanFault.ofRequest("the key column of the table is neither text nor bytes as stored");
    if (!PlanRequest.sha256(schema.getBytes(StandardCharsets.UTF_8)).equalsIgnoreCase(digest)) {
      throw PlanFault.ofRequest(SCHEMA + " was changed and does not belong to " + SCHEMA_DIGEST + ": let `saltplan ddl` print both");
    }
    return planning.plan(PlanRequest.of(schema, key, filter, session), session.get(STATEMENT_ID));
  }

  private void unplanned(Configuration session, String table, String statement, String reason) {
    String message = "saltplan: all keys of " + table + " are read: " + reason;
    if (isRequiredByServer || session.getBoolean(ServerSettings.REQUIRED, false)) {
      throw new IllegalStateException(
          message + ". " + ServerSettings.REQUIRED + " forbids that; 'SET " + PLAN + "=false' reads without a plan");
    }
    synchronized (SAID) {
      if (statement != null && SAID.put(statement + ' ' + message, true) != null) return;
    }
    LOG.warn(message);
  }

  /**
   * The properties of the table of a deserializer. Not from the configuration of the statement, in which Hive leaves those of
   * other tables. Hive keeps them in a field without a getter.
   */
  static Properties of(HBaseSerDe table) {
    HBaseKeyFactory factory = table.getHBaseSerdeParam().getKeyFactory();
    if (!(factory instanceof AbstractHBaseKeyFactory)) return null;
    try {
      Field properties = AbstractHBaseKeyFactory.class.getDeclaredField("properties");
      properties.setAccessible(true);
      return (Properties) properties.get(factory);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("saltplan: the properties of a table cannot be read, so nothing is planned: " + e);
      return null;
    }
  }
}
