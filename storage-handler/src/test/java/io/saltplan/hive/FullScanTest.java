package io.saltplan.hive;

import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.mapred.JobConf;
import org.junit.Test;

public class FullScanTest {
  /** The configuration with which Hive reads a table without a job. */
  private static void configure(JobConf conf, String setting) {
    Properties table = new Properties();
    table.setProperty("name", "trace.calls");
    if (setting != null) table.setProperty("saltplan.full_scan", setting);
    Map<String, String> job = new HashMap<>();
    FullScan.configure(table, job);
    job.forEach(conf::set);
  }

  private static boolean isRefused(JobConf conf) {
    try {
      FullScan.refuse(conf);
      return false;
    } catch (IOException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("all keys of trace.calls"));
      assertTrue(e.getMessage(), e.getMessage().contains("SET saltplan.allow.full_scan=true"));
      return true;
    }
  }

  @Test
  public void theTableRefusesAndTheSessionAllows() {
    JobConf conf = new JobConf(false);
    conf.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, "/x");
    configure(conf, "refuse");
    if (!isRefused(conf)) fail("all keys are read");
    // The next table in the same session says nothing.
    configure(conf, null);
    if (isRefused(conf)) fail("another table is refused");
    configure(conf, "refuse");
    conf.set("saltplan.allow.full_scan", "true");
    if (isRefused(conf)) fail("the session allows it");
  }

  @Test
  public void aValueThatIsNotKnownIsAnError() {
    for (String value : new String[] {"true", "refuse ", "REFUSED", "no"}) {
      try {
        configure(new JobConf(false), value);
        fail(value + " guards nothing, and nobody is told");
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage(), e.getMessage().contains("the only value is 'refuse'"));
      }
    }
    configure(new JobConf(false), "Refuse");
    configure(new JobConf(false), "");
  }

  /** Hive copies the properties of a table over the settings of the session. */
  @Test
  public void aTableCannotAllowItself() {
    Properties table = new Properties();
    table.setProperty("name", "trace.calls");
    table.setProperty("saltplan.full_scan", "refuse");
    table.setProperty("saltplan.allow.full_scan", "true");
    try {
      FullScan.configure(table, new HashMap<>());
      fail("the table allows itself to be read");
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("is a setting of a session"));
    }
  }

  @Test
  public void aSnapshotIsRefusedToo() throws Exception {
    JobConf conf = new JobConf(false);
    conf.set(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST, "/x");
    configure(conf, "refuse");
    try {
      new SnapshotInputFormat().getSplits(conf, 1);
      fail("all keys are read");
    } catch (IOException e) {
      assertTrue(e.getMessage(), e.getMessage().contains("all keys of trace.calls"));
    }
    JobConf handler = new JobConf(false);
    handler.set("hive.hbase.snapshot.name", "s");
    RangesStorageHandler storage = new RangesStorageHandler();
    storage.setConf(handler);
    assertTrue(storage.getInputFormatClass() == SnapshotInputFormat.class);
  }
}
