import com.dylibso.chicory.build.time.compiler.Config;
import com.dylibso.chicory.build.time.compiler.Generator;
import com.dylibso.chicory.compiler.InterpreterFallback;
import java.nio.file.Path;

/** Compiles the planner to classes of Java, like the plugin of storage-handler/pom.xml. Arguments: the module, a folder for classes. */
public class CompileModule {
  public static void main(String[] args) throws Exception {
    Path classes = Path.of(args[1]);
    Config config =
        Config.builder()
            .withWasmFile(Path.of(args[0]))
            .withName("io.saltplan.hive.module.Pushdown")
            .withTargetClassFolder(classes)
            .withTargetWasmFolder(classes)
            .withTargetSourceFolder(classes)
            // Java limits the length of a method. The rest of the module is compiled.
            .withInterpreterFallback(InterpreterFallback.SILENT)
            .build();
    Generator generator = new Generator(config);
    generator.generateMetaWasm(generator.generateResources());
  }
}
