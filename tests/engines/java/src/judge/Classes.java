import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.udf.UDFType;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;

/**
 * The built-in functions of a Hive, a line for each, sorted: name, class (for a bridged function its own), kind (`udf`, `generic`,
 * `udaf`, `udtf`, `table`, `window`, or `unnamed` for functions that only Hive's compiler calls), and what Hive says of it:
 * `deterministic` or not, `stateful`, `runtime-constant`. There are tabs between them.
 */
public class Classes {
  public static void main(String[] args) throws Exception {
    Lines stdout = new Lines();
    Builtins builtins = new Builtins();
    List<String> lines = new ArrayList<>();
    Set<Class<?>> named = new HashSet<>();
    Map<String, FunctionInfo> byName = builtins.byName();
    for (Map.Entry<String, FunctionInfo> function : byName.entrySet()) {
      FunctionInfo info = function.getValue();
      named.add(info.getFunctionClass());
      String name = function.getKey();
      boolean isWindow = name.startsWith(Builtins.WINDOW_PREFIX);
      if (isWindow) name = name.substring(Builtins.WINDOW_PREFIX.length());
      // Every aggregate is a window function too.
      if (isWindow && byName.containsKey(name)) continue;
      lines.add(line(name, info.getFunctionClass(), isWindow ? "window" : kind(info), info.getGenericUDF()));
    }
    for (Class<?> type : builtins.classes()) {
      if (named.contains(type)) continue;
      GenericUDF made = GenericUDF.class.isAssignableFrom(type) ? (GenericUDF) type.getDeclaredConstructor().newInstance() : null;
      lines.add(line("", type, "unnamed", made));
    }
    lines.sort(null);
    stdout.print(lines);
  }

  private static String kind(FunctionInfo info) {
    if (info.isGenericUDF()) return info.getGenericUDF() instanceof GenericUDFBridge ? "udf" : "generic";
    if (info.isGenericUDAF()) return "udaf";
    if (info.isGenericUDTF()) return "udtf";
    return "table";
  }

  private static String line(String name, Class<?> type, String kind, GenericUDF function) {
    UDFType declared = type.getAnnotation(UDFType.class);
    List<String> facts = new ArrayList<>();
    boolean isDeterministic =
        function != null ? FunctionRegistry.isDeterministic(function) : declared == null || declared.deterministic();
    boolean isStateful = function != null ? FunctionRegistry.isStateful(function) : declared != null && declared.stateful();
    facts.add(isDeterministic ? "deterministic" : "not deterministic");
    if (isStateful) facts.add("stateful");
    if (declared != null && isRuntimeConstant(declared)) facts.add("runtime-constant");
    return String.join("\t", name, type.getName(), kind, String.join(", ", facts));
  }

  /** Hive 2 has no such part of the annotation. */
  private static boolean isRuntimeConstant(UDFType declared) {
    try {
      return (boolean) UDFType.class.getMethod("runtimeConstant").invoke(declared);
    } catch (ReflectiveOperationException error) {
      return false;
    }
  }
}
