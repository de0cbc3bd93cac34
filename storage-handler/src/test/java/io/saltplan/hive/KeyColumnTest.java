package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.util.Properties;
import org.junit.Test;

public class KeyColumnTest {
  private static KeyColumn of(String mapping, String columns, String types, String... more) {
    Properties table = new Properties();
    table.setProperty("hbase.columns.mapping", mapping);
    table.setProperty("columns", columns);
    table.setProperty("columns.types", types);
    for (int i = 0; i < more.length; i += 2) table.setProperty(more[i], more[i + 1]);
    return KeyColumn.of(table);
  }

  @Test
  public void theKeyMayStandAnywhere() {
    assertEquals("k", of("f:a,:key", "a,k", "int,string").name());
    assertEquals("k", of(":key,f:", "k,m", "string:map<string,string>").name());
  }

  @Test
  public void bytesNeedBinaryStorage() {
    assertNotNull(of(":key#b,f:a", "k,a", "binary:string"));
    assertNotNull(of(":key#-,f:a", "k,a", "binary:string", "hbase.table.default.storage.type", "binary"));
    assertNotNull(of(":key,f:a", "k,a", "binary:string", "hbase.table.default.storage.type", "binary"));
    assertNull(of(":key,f:a", "k,a", "binary:string"));
    assertNull(of(":key#s,f:a", "k,a", "binary:string", "hbase.table.default.storage.type", "binary"));
  }

  @Test
  public void otherTypesAndOtherKeysAreLeftAlone() {
    assertNull(of(":key,f:a", "k,a", "bigint:string"));
    assertNull(of(":key#b,f:a", "k,a", "bigint:string"));
    assertNull(of(":key,f:a", "k,a", "varchar(9):string"));
    assertNull(of(":key,f:a", "k,a", "struct<x:string>:string"));
    assertNull(of(":key,f:a", "k,a", "string:string", "escape.delim", "\\"));
    assertNull(of(":key,f:a", "k,a", "string:string", "hbase.composite.key.factory", "x.Y"));
  }
}
