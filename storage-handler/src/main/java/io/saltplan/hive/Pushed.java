package io.saltplan.hive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.PartitionDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;

/**
 * The row keys that a job needs from one table.
 *
 * <p>The conditions come from the plan of the job: they are those of all its scans of this table. The configuration also has a
 * condition, but it may belong to another table of the job, and if a table is scanned several times Hive on MapReduce sets
 * none. The configuration is used only if Hive reads without a job and has no plan: then it has the condition of the only scan.
 */
final class Pushed {
  private Pushed() {}

  /** All keys if the needed keys are not known. */
  static KeySet keys(JobConf conf) {
    if (conf.get(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST) != null) return ofFetch(conf);
    if (Utilities.getPlanPath(conf) == null) return KeySet.ALL;
    MapWork work = work(conf);
    Path[] paths = FileInputFormat.getInputPaths(conf);
    return work == null || paths.length != 1 ? KeySet.ALL : ofScans(work, paths[0]);
  }

  /** The properties of the table that a job reads; null if they are not known. */
  static Properties table(JobConf conf) {
    if (Utilities.getPlanPath(conf) == null) return null;
    MapWork work = work(conf);
    Path[] paths = FileInputFormat.getInputPaths(conf);
    PartitionDesc description = work == null || paths.length != 1 ? null : of(work, "getPathToPartitionInfo", paths[0]);
    return description == null ? null : description.getTableDesc().getProperties();
  }

  private static KeySet ofFetch(JobConf conf) {
    String condition = conf.get(TableScanDesc.FILTER_EXPR_CONF_STR);
    KeyColumn key = condition == null ? null : KeyColumn.of(conf);
    if (key == null) return KeySet.ALL;
    return Condition.keys(SerializationUtilities.deserializeExpression(condition), key);
  }

  /** Found in the same way as in Hive's own input format. */
  private static MapWork work(JobConf conf) {
    if (HiveConf.getVar(conf, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE).equals("tez")) {
      MapWork merged = (MapWork) Utilities.getMergeWork(conf);
      if (merged != null) return merged;
    }
    return Utilities.getMapWork(conf);
  }

  private static KeySet ofScans(MapWork work, Path table) {
    PartitionDesc description = of(work, "getPathToPartitionInfo", table);
    List<String> aliases = of(work, "getPathToAliases", table);
    if (description == null || aliases == null || aliases.isEmpty()) return KeySet.ALL;
    KeyColumn key = KeyColumn.of(description.getTableDesc().getProperties());
    if (key == null) return KeySet.ALL;
    Map<?, ?> scans = map(work, "getAliasToWork");
    List<KeyRange> ranges = new ArrayList<>();
    for (String alias : aliases) {
      KeySet keys = ofScan((Operator<?>) scans.get(alias), key);
      if (keys.isAll()) return KeySet.ALL;
      ranges.addAll(keys.ranges());
    }
    return KeySet.ofAny(ranges);
  }

  /** What the plan has of a table; null if there is nothing. */
  @SuppressWarnings("unchecked")
  private static <T> T of(MapWork work, String getter, Path table) {
    Map<?, ?> all = map(work, getter);
    Object found = all.get(table);
    return (T) (found != null ? found : all.get(Path.getPathWithoutSchemeAndAuthority(table)));
  }

  /** By reflection, because the maps of Hive 4 have another type: a compiled call does not find the method there. */
  private static Map<?, ?> map(MapWork work, String getter) {
    try {
      return (Map<?, ?>) MapWork.class.getMethod(getter).invoke(work);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Hive has no MapWork." + getter, e);
    }
  }

  private static KeySet ofScan(Operator<?> scan, KeyColumn key) {
    if (!(scan instanceof TableScanOperator)) return KeySet.ALL;
    TableScanDesc description = ((TableScanOperator) scan).getConf();
    ExprNodeGenericFuncDesc condition = description == null ? null : description.getFilterExpr();
    return condition == null ? KeySet.ALL : Condition.keys(condition, key);
  }
}
