package io.saltplan.hive;

import java.util.List;
import java.util.Properties;
import org.apache.hadoop.hive.hbase.ColumnMappings;
import org.apache.hadoop.hive.hbase.ColumnMappings.ColumnMapping;
import org.apache.hadoop.hive.hbase.HBaseSerDe;
import org.apache.hadoop.hive.hbase.HBaseSerDeParameters;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.mapred.JobConf;

/** The column of a mapping table that contains the row key, and which conditions on it say something about the bytes of keys. */
final class KeyColumn {
  private static final String DEFAULT_FACTORY = "org.apache.hadoop.hive.hbase.DefaultHBaseKeyFactory";

  private static final String[] TABLE = {
    HBaseSerDe.HBASE_COLUMNS_MAPPING,
    HBaseSerDe.HBASE_COLUMNS_REGEX_MATCHING,
    HBaseSerDe.HBASE_TABLE_DEFAULT_STORAGE_TYPE,
    serdeConstants.LIST_COLUMNS,
    serdeConstants.LIST_COLUMN_TYPES,
  };

  /** If one of these is set, the column is not the plain key as HBase stores it. */
  private static final String[] OTHER_KEYS = {
    HBaseSerDe.HBASE_COMPOSITE_KEY_CLASS,
    HBaseSerDe.HBASE_COMPOSITE_KEY_FACTORY,
    HBaseSerDe.HBASE_COMPOSITE_KEY_TYPES,
    serdeConstants.ESCAPE_CHAR,
  };

  private final String name;
  private final boolean isString;

  KeyColumn(String name, boolean isString) {
    this.name = name;
    this.isString = isString;
  }

  /** The key column of the table that a task or a fetch reads; null if conditions on it say nothing about bytes. */
  static KeyColumn of(JobConf table) {
    Properties properties = new Properties();
    for (String[] names : new String[][] {TABLE, OTHER_KEYS}) {
      for (String name : names) {
        if (table.get(name) != null) properties.setProperty(name, table.get(name));
      }
    }
    return of(properties);
  }

  /**
   * The key column of the table that a statement names; null if conditions on it say nothing about bytes. The configuration of
   * the session cannot be used, because Hive leaves properties of previously read tables in it.
   */
  static KeyColumn of(HBaseSerDe table) {
    HBaseSerDeParameters parameters = table.getHBaseSerdeParam();
    ColumnMapping mapping = parameters.getKeyColumnMapping();
    boolean isPlain =
        parameters.getKeyFactory().getClass().getName().equals(DEFAULT_FACTORY)
            && !parameters.getSerdeParams().isEscaped();
    if (!isPlain || mapping == null) return null;
    List<Boolean> isBinary = mapping.getBinaryStorage();
    return of(mapping.getColumnName(), mapping.getColumnType(), isBinary.size() == 1 && isBinary.get(0));
  }

  /** The key column of a table with these properties; null if conditions on it say nothing about bytes. */
  static KeyColumn of(Properties table) {
    for (String property : OTHER_KEYS) {
      if (table.getProperty(property) != null) return null;
    }
    String mapping = table.getProperty(HBaseSerDe.HBASE_COLUMNS_MAPPING);
    String columns = table.getProperty(serdeConstants.LIST_COLUMNS);
    String types = table.getProperty(serdeConstants.LIST_COLUMN_TYPES);
    if (mapping == null || columns == null || types == null) return null;
    int index = keyIndex(mapping, table.getProperty(HBaseSerDe.HBASE_COLUMNS_REGEX_MATCHING, "true"));
    String[] names = columns.split(",");
    List<TypeInfo> infos = TypeInfoUtils.getTypeInfosFromTypeString(types);
    if (index < 0 || index >= names.length || index >= infos.size()) return null;
    return of(names[index], infos.get(index), isStoredBinary(mapping, index, table));
  }

  private static KeyColumn of(String name, TypeInfo type, boolean isStoredBinary) {
    if (type.equals(TypeInfoFactory.stringTypeInfo)) return new KeyColumn(name, true);
    // Without `#b` Hive decodes binary keys as Base64 if they look like it.
    if (type.equals(TypeInfoFactory.binaryTypeInfo) && isStoredBinary) return new KeyColumn(name, false);
    return null;
  }

  private static int keyIndex(String mapping, String regex) {
    try {
      ColumnMappings mappings = HBaseSerDe.parseColumnsMapping(mapping, Boolean.parseBoolean(regex));
      return mappings.getKeyIndex();
    } catch (SerDeException e) {
      return -1;
    }
  }

  private static boolean isStoredBinary(String mapping, int index, Properties table) {
    String[] entries = mapping.split(",");
    if (index >= entries.length) return false;
    String[] parts = entries[index].trim().split("#");
    if (!parts[0].equals(HBaseSerDe.HBASE_KEY_COL)) return false;
    if (parts.length == 1 || parts[1].equals("-")) {
      return "binary".equalsIgnoreCase(table.getProperty(HBaseSerDe.HBASE_TABLE_DEFAULT_STORAGE_TYPE));
    }
    return "binary".startsWith(parts[1]);
  }

  String name() {
    return name;
  }

  TypeInfo type() {
    return isString ? TypeInfoFactory.stringTypeInfo : TypeInfoFactory.binaryTypeInfo;
  }

  /** Whether the key itself may be compared with a text, and not only {@code hex(key)}. */
  boolean isString() {
    return isString;
  }
}
