package io.saltplan.hive;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.mapred.JobConf;
import org.junit.Test;

public class RangesStorageHandlerTest {
  private static JobConf withAuxJars(String jars) {
    JobConf conf = new JobConf(false);
    conf.set("hive.aux.jars.path", jars);
    return conf;
  }

  @Test
  public void theJarIsNotSentTwice() {
    String own = RangesStorageHandler.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertFalse(RangesStorageHandler.isSentByHive(new JobConf(false)));
    assertFalse(RangesStorageHandler.isSentByHive(withAuxJars("file:///opt/other.jar,/opt/saltplan-hive.jar")));
    assertTrue(RangesStorageHandler.isSentByHive(withAuxJars("file://" + own)));
    assertTrue(RangesStorageHandler.isSentByHive(withAuxJars("file:///opt/other.jar, " + own)));
  }
}
