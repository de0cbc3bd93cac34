package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.mapred.JobConf;
import org.junit.Test;

public class PlannedKeysTest {
  private static final KeyColumn KEY = new KeyColumn("key", true);
  private static final String SCHEMA = "{saltplan: 1, key: {fields: [{name: 'a\u00e9'}]}}";

  private final List<String> requests = new ArrayList<>();
  private String rest = "\"ranges\": [[\"3061\", \"3062\"], [\"ff\", \"\"]]";

  /** Remembers what it is asked. */
  private final Planner planner =
      new Planner() {
        @Override
        public int concurrent() {
          return 1;
        }

        @Override
        public byte[] answer(byte[] request) {
          String text = new String(request, StandardCharsets.UTF_8);
          requests.add(text);
          return PlanAnswerTest.answer(PlanRequest.ofText(text), rest).getBytes(StandardCharsets.UTF_8);
        }
      };

  private static Properties table() {
    Properties table = new Properties();
    table.setProperty("name", "trace.calls");
    table.setProperty("saltplan.schema", SCHEMA);
    table.setProperty("saltplan.schema.digest", PlanRequest.sha256(SCHEMA.getBytes(StandardCharsets.UTF_8)));
    return table;
  }

  private static Configuration session(String... settings) {
    Configuration session = new Configuration(false);
    for (int i = 0; i < settings.length; i += 2) session.set(settings[i], settings[i + 1]);
    return session;
  }

  private KeySet keys(boolean isRequired, Configuration session, Properties table, String filter) throws Exception {
    return new PlannedKeys(new Planning(planner), isRequired).of(session, table, KEY, Expressions.parse(filter));
  }

  private void refused(boolean isRequired, Configuration session, Properties table, String filter, String why) throws Exception {
    try {
      keys(isRequired, session, table, filter);
      fail("the statement runs");
    } catch (IllegalStateException e) {
      assertTrue(e.getMessage(), e.getMessage().contains(why));
      assertTrue(e.getMessage(), e.getMessage().startsWith("saltplan: all keys of trace.calls are read: "));
    }
  }

  @Test
  public void theRequestHasAllThatThePlanDependsOn() throws Exception {
    assertEquals(PlanAnswerTest.RANGES, keys(true, session("hive.local.time.zone", "Asia/Shanghai"), table(), "status = 'x'"));
    assertEquals(1, requests.size());
    String request = requests.get(0);
    // As the jars of Hive themselves say; the short version of 3.1.3 is 3.1.0, and that of a vendor may be the same.
    assertTrue(request, request.matches("\\{\"protocol\": 1, \"hive\": \"(2\\.3\\.9|3\\.1\\.3|4\\.1\\.0)\", \"dialect\": \"hive\", \"schema\": .*"));
    assertTrue(request, request.contains("\"schema\": \"{saltplan: 1, key: {fields: [{name: 'a\\u00e9'}]}}\", \"key_column\": \"key\""));
    assertTrue(request, request.contains("\"zone\": {\"session\": \"" + (request.contains("\"hive\": \"2") ? "" : "Asia/Shanghai") + "\", \"jvm\": \""));
    assertTrue(request, request.contains("\"transitions\": [[-2208988800, "));
    assertTrue(request, request.endsWith("\"arguments\": [{\"column\": \"status\", \"type\": \"string\"}, {\"constant\": \"x\", \"type\": \"string\"}], \"type\": \"boolean\"}}"));
  }

  /** The zone of tasks is not that of this process: only the administrator knows it. */
  @Test
  public void theZoneOfTasksIsNotGuessed() {
    String own = TimeZone.getDefault().getID();
    Configuration local = session("hive.local.time.zone", "LOCAL");
    Configuration tokyo = session("hive.local.time.zone", "Asia/Tokyo");
    assertEquals("", sessionZone(session(), "4.1.0", null));
    assertEquals("", sessionZone(local, "4.1.0", null));
    assertEquals("Asia/Tokyo", sessionZone(tokyo, "4.1.0", null));
    assertEquals(own, sessionZone(local, "4.1.0", own));
    // Hive 2 has no zone of a session.
    assertEquals("", sessionZone(tokyo, "2.3.9", null));
    assertEquals("Asia/Kathmandu", sessionZone(tokyo, "2.3.9", "Asia/Kathmandu"));
  }

  private static String sessionZone(Configuration session, String hive, String tasks) {
    StringBuilder out = new StringBuilder();
    Zones.write(out, session, hive, tasks);
    return out.toString().replaceFirst("\\{\"session\": \"([^\"]*)\".*", "$1");
  }

  @Test
  public void aTaskInAnotherZoneFails() throws Exception {
    String own = TimeZone.getDefault().getID();
    for (String stated : new String[] {null, own, "Asia/Kathmandu"}) {
      Map<String, String> job = new HashMap<>();
      Zones.configure(stated, job);
      JobConf conf = new JobConf(false);
      job.forEach(conf::set);
      boolean isRight = stated == null || stated.equals(own);
      try {
        Zones.check(conf);
        assertTrue(stated, isRight);
      } catch (IOException e) {
        assertFalse(stated, isRight);
        assertTrue(e.getMessage(), e.getMessage().contains("-Duser.timezone=" + stated));
      }
    }
  }

  /** A class that a build of Hive lacks, a condition that is too deep: the statement runs, or fails if a plan is required. */
  @Test
  public void whateverFailsIsAReason() throws Exception {
    Error[] deaths = {new NoClassDefFoundError("x"), new StackOverflowError(), new NoSuchMethodError("y")};
    for (Error death : deaths) {
      KeyColumn key = KEY;
      ExprNodeGenericFuncDesc filter = new ExprNodeGenericFuncDesc() {
        private static final long serialVersionUID = 1;

        @Override
        public TypeInfo getTypeInfo() {
          throw death;
        }

        @Override
        public GenericUDF getGenericUDF() {
          return new GenericUDFOPNotNull();
        }
      };
      assertTrue(new PlannedKeys(new Planning(planner), false).of(session(), table(), key, filter).isAll());
      try {
        new PlannedKeys(new Planning(planner), true).of(session(), table(), key, filter);
        fail("the statement runs");
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage(), e.getMessage().contains("the planner cannot be asked: " + death.getClass().getName()));
      }
    }
    assertEquals(0, requests.size());
  }

  @Test
  public void withoutASchemaNothingIsPlanned() throws Exception {
    assertTrue(keys(true, session(), new Properties(), "status = 'x'").isAll());
    assertTrue(keys(true, session("saltplan.plan", "false"), table(), "status = 'x'").isAll());
    assertEquals(0, requests.size());
  }

  @Test
  public void anEditedSchemaIsNotUsed() throws Exception {
    Properties edited = table();
    edited.setProperty("saltplan.schema", SCHEMA.replace("1", "2"));
    assertTrue(keys(false, session(), edited, "status = 'x'").isAll());
    refused(true, session(), edited, "status = 'x'", "saltplan.schema was changed");
    Properties without = table();
    without.remove("saltplan.schema.digest");
    assertTrue(keys(false, session(), without, "status = 'x'").isAll());
    assertEquals(0, requests.size());
  }

  @Test
  public void aSessionCanRequireAPlanButNotWaiveIt() throws Exception {
    rest = "\"all\": \"nothing narrows the key\"";
    assertTrue(keys(false, session(), table(), "status = 'x'").isAll());
    refused(false, session("saltplan.required", "true"), table(), "status = 'x'", "nothing narrows the key");
    refused(true, session("saltplan.required", "false"), table(), "status = 'x'", "nothing narrows the key");
    // A statement that names its ranges does not read all keys.
    assertTrue(keys(true, session(), table(), "key = 'a'").isAll());
  }

  /** Neither a statement nor a table chooses the program that plans, or what is asked of it. */
  @Test
  public void onlyTheServerChoosesThePlanner() throws Exception {
    Properties table = table();
    String[] settings = {"saltplan.command", "/bin/false", "hbase.table.name", "other", "saltplan.schema", "x"};
    for (int i = 0; i < settings.length; i += 2) {
      if (i < 2) table.setProperty(settings[i], settings[i + 1]);
      System.setProperty(settings[i], settings[i + 1]);
    }
    try {
      assertEquals(PlanAnswerTest.RANGES, keys(true, session(settings), table, "status = 'x'"));
      keys(true, session(), table(), "status = 'x'");
      assertEquals(requests.get(0), requests.get(1));
    } finally {
      for (int i = 0; i < settings.length; i += 2) System.clearProperty(settings[i]);
    }
  }

  @Test
  public void aKeyThatSaysNothingOfBytesHasNoPlan() throws Exception {
    PlannedKeys planned = new PlannedKeys(new Planning(planner), false);
    assertTrue(planned.of(session(), table(), null, Expressions.parse("status = 'x'")).isAll());
    assertEquals(0, requests.size());
  }

  /** With the deserializers of two tables, as Hive has them, and the configuration of another one. */
  @Test
  public void thePropertiesAreThoseOfTheDeserializer() throws Exception {
    JobConf conf = new JobConf(false);
    conf.set("saltplan.schema", "of another table");
    for (String name : new String[] {"a", "b"}) {
      Properties table = table();
      table.setProperty("name", name);
      table.setProperty("hbase.table.name", name);
      table.setProperty("hbase.columns.mapping", ":key,f:a");
      table.setProperty("columns", "key,status");
      table.setProperty("columns.types", "string:string");
      HBaseSerDe serde = new HBaseSerDe();
      serde.initialize(conf, table);
      Properties found = PlannedKeys.of(serde);
      assertEquals(name, found.getProperty("name"));
      assertEquals(SCHEMA, found.getProperty("saltplan.schema"));
    }
  }
}
