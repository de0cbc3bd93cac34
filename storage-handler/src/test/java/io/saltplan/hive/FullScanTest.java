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
}
