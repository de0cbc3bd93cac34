import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.exec.Registry;

/**
 * The functions that a Hive brings along. {@code FunctionRegistry} does not tell them without asking the metastore for those of
 * users.
 */
final class Builtins {
  static final String WINDOW_PREFIX = "@_";

  private final Registry registry;

  Builtins() throws ReflectiveOperationException {
    registry = (Registry) of(FunctionRegistry.class, null, "system");
  }

  /** By name; the names of window functions begin with {@link #WINDOW_PREFIX}. */
  @SuppressWarnings("unchecked")
  Map<String, FunctionInfo> byName() throws ReflectiveOperationException {
    return (Map<String, FunctionInfo>) of(Registry.class, registry, "mFunctions");
  }

  /** All classes, also of functions without a name, to which Hive's compiler turns others. */
  @SuppressWarnings("unchecked")
  Set<Class<?>> classes() throws ReflectiveOperationException {
    return (Set<Class<?>>) of(Registry.class, registry, "builtIns");
  }

  private static Object of(Class<?> owner, Object object, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }
}
