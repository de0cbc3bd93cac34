package io.saltplan.hive;

import java.io.IOException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.hbase.HBaseStorageHandler;
import org.apache.hadoop.hive.hbase.HiveHBaseTableInputFormat;
import org.apache.hadoop.hive.hbase.HiveHBaseTableSnapshotInputFormat;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.TableDesc;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.Deserializer;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.mapred.InputFormat;
import org.apache.hadoop.mapred.JobConf;

/**
 * Hive's storage handler for HBase with one difference: if a condition has many row-key ranges, it reads exactly these ranges,
 * in one job. The ranges are those that the condition names, and those that the planner computes from the schema of a table:
 * see {@link PlannedKeys}.
 *
 * <p>Hive keeps every condition in its plan and checks every row that is read. So a lost range costs time, but no row is lost,
 * and no row is returned twice.
 */
public class RangesStorageHandler extends HBaseStorageHandler {
  /** Its name in {@code HiveConf} is not the same in all versions. */
  private static final String AUX_JARS = "hive.aux.jars.path";

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends InputFormat> getInputFormatClass() {
    Class<? extends InputFormat> format = super.getInputFormatClass();
    // Snapshots are read by a format of their own.
    if (format == HiveHBaseTableSnapshotInputFormat.class) return SnapshotInputFormat.class;
    return format == HiveHBaseTableInputFormat.class ? RangesInputFormat.class : format;
  }

  @Override
  public DecomposedPredicate decomposePredicate(JobConf conf, Deserializer deserializer, ExprNodeDesc predicate) {
    HBaseSerDe table = (HBaseSerDe) deserializer;
    KeyColumn key = KeyColumn.of(table);
    KeySet planned = PlannedKeys.ofThisProcess(conf, table, key, predicate);
    if (key == null || planned.isAll() && Condition.keys(predicate, key).isAll()) return null;
    DecomposedPredicate decomposed = new DecomposedPredicate();
    decomposed.pushedPredicate =
        beyondOtherHandlers(planned.isAll() ? predicate : RangeCondition.and(planned, key, predicate));
    decomposed.residualPredicate = (ExprNodeGenericFuncDesc) predicate;
    return decomposed;
  }

  /**
   * The condition, joined with FALSE by OR. Hive 2 may leave it in the configuration from which Hive's own handler takes the
   * bounds of another table of the job. That handler only looks at ANDs, and so finds no bounds in an OR.
   */
  private static ExprNodeGenericFuncDesc beyondOtherHandlers(ExprNodeDesc condition) {
    ExprNodeDesc never = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, Boolean.FALSE);
    // A copy, because later steps of the compiler change expressions in place.
    List<ExprNodeDesc> either = new ArrayList<>(Arrays.asList(condition.clone(), never));
    return new ExprNodeGenericFuncDesc(TypeInfoFactory.booleanTypeInfo, new GenericUDFOPOr(), either);
  }

  @Override
  public void configureInputJobProperties(TableDesc table, Map<String, String> job) {
    super.configureInputJobProperties(table, job);
    FullScan.configure(table.getProperties(), job);
    Zones.configure(ServerSettings.ofThisProcess().tasksZone(), job);
  }

  @Override
  @SuppressWarnings("deprecation") // The method that replaces it is not in HBase 1.
  public void configureJobConf(TableDesc table, JobConf conf) {
    super.configureJobConf(table, conf);
    if (isSentByHive(conf)) return;
    try {
      TableMapReduceUtil.addDependencyJars(conf, RangesStorageHandler.class);
    } catch (IOException e) {
      throw new IllegalStateException("cannot add the jar of " + RangesStorageHandler.class.getName() + " to the job", e);
    }
  }

  /**
   * Hive sends the jars of ADD JAR and of its aux path by itself. Hive 3 on Tez fails if one of them is named a second time
   * (index out of bounds, in TezSessionState).
   */
  static boolean isSentByHive(JobConf conf) {
    CodeSource source = RangesStorageHandler.class.getProtectionDomain().getCodeSource();
    if (source == null) return false;
    String own = new Path(source.getLocation().toString()).toUri().getPath();
    String added = Utilities.getResourceFiles(conf, SessionState.ResourceType.JAR);
    for (String jar : (conf.get(AUX_JARS, "") + "," + added).split(",")) {
      if (!jar.trim().isEmpty() && new Path(jar.trim()).toUri().getPath().equals(own)) return true;
    }
    return false;
  }
}
