package io.saltplan.hive;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ServerSettingsTest {
  private static final List<String> NONE = Collections.emptyList();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private URL site(String name, String value) throws Exception {
    File file = folder.newFile();
    String property = "<property><name>" + name + "</name><value>" + value + "</value></property>";
    Files.write(file.toPath(), ("<configuration>" + property + "</configuration>").getBytes(StandardCharsets.UTF_8));
    return file.toURI().toURL();
  }

  @Test
  public void theFileAndTheCommandLineOfTheServer() throws Exception {
    URL site = site("saltplan.command", " /opt/saltplan  pushdown ");
    assertArrayEquals(new String[] {"/opt/saltplan", "pushdown"}, new ServerSettings(site, NONE).command());
    List<String> arguments = Arrays.asList("-Xmx1g", "-Dsaltplan.command=/opt/other", "-Dsaltplan.required=true");
    assertArrayEquals(new String[] {"/opt/other"}, new ServerSettings(site, arguments).command());
    assertTrue(new ServerSettings(null, arguments).isRequired());
    assertNull(new ServerSettings(site("saltplan.command", " "), NONE).command());
    assertNull(new ServerSettings(null, NONE).command());
    assertEquals(false, new ServerSettings(null, NONE).isRequired());
  }

  @Test
  public void theZoneOfTasksAndTheTimeForPlanning() throws Exception {
    assertNull(new ServerSettings(null, NONE).tasksZone());
    assertEquals("Asia/Tokyo", new ServerSettings(site("saltplan.tasks.zone", "Asia/Tokyo"), NONE).tasksZone());
    assertEquals(2, new ServerSettings(null, NONE).planningSeconds());
    assertEquals(20, new ServerSettings(site("saltplan.planning.seconds", "20"), NONE).planningSeconds());
    for (String wrong : Arrays.asList("0", "61", "-1", "1.5", "999999999999", "two")) {
      assertEquals(2, new ServerSettings(site("saltplan.planning.seconds", wrong), NONE).planningSeconds());
    }
  }

  /** What {@code SET system:} reaches: not read itself, and not put in place of variables. */
  @Test
  public void propertiesOfTheSystemChangeNothing() throws Exception {
    System.setProperty("saltplan.command", "/tmp/evil");
    System.setProperty("saltplan.required", "true");
    System.setProperty("saltplan.place", "/tmp/evil");
    try {
      assertNull(new ServerSettings(null, NONE).command());
      assertEquals(false, new ServerSettings(null, NONE).isRequired());
      URL site = site("saltplan.command", "${saltplan.place}/x");
      assertArrayEquals(new String[] {"${saltplan.place}/x"}, new ServerSettings(site, NONE).command());
    } finally {
      for (String name : Arrays.asList("command", "required", "place")) System.clearProperty("saltplan." + name);
    }
  }
}
