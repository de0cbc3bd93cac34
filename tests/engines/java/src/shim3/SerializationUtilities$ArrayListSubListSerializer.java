package org.apache.hadoop.hive.ql.exec;

import java.util.ArrayList;
import java.util.List;
import org.apache.hive.com.esotericsoftware.kryo.Kryo;
import org.apache.hive.com.esotericsoftware.kryo.Serializer;
import org.apache.hive.com.esotericsoftware.kryo.io.Input;
import org.apache.hive.com.esotericsoftware.kryo.io.Output;

/**
 * Stands in for Hive 3's class of this name: copies a sub list instead of reaching into ArrayList's private fields, which moved
 * after Java 8. Without it Hive 3 cannot write a plan on Java 17.
 */
class SerializationUtilities$ArrayListSubListSerializer extends Serializer<List<?>> {
  public SerializationUtilities$ArrayListSubListSerializer() {}

  @Override
  public List<?> read(Kryo kryo, Input input, Class<List<?>> type) {
    int size = input.readInt(true);
    List<Object> list = new ArrayList<>(size);
    kryo.reference(list);
    for (int i = 0; i < size; i++) list.add(kryo.readClassAndObject(input));
    return list;
  }

  @Override
  public void write(Kryo kryo, Output output, List<?> list) {
    output.writeInt(list.size(), true);
    for (Object item : list) kryo.writeClassAndObject(output, item);
  }
}
