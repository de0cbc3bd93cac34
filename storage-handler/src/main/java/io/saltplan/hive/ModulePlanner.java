package io.saltplan.hive;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Asks the WebAssembly module inside this jar. It has no files, no clock and no environment, and its memory is bounded. The classes
 * that run it need Java 11, and are loaded when the first plan is wanted: on Java 8 everything else of this jar works.
 */
final class ModulePlanner implements Planner {
  /** What the build-time compiler leaves of the module: everything but the code of its functions. */
  private static final String MODULE = "module/Pushdown.meta";
  /** The class that it makes of the code. */
  private static final String MACHINE = "io.saltplan.hive.module.PushdownMachine";

  private final Source source;
  private final String machine;
  private ModuleProgram program;

  /** Where the bytes of the module are. */
  interface Source {
    /** Null if there is no module. */
    InputStream open() throws IOException;
  }

  ModulePlanner() {
    this(() -> ModulePlanner.class.getResourceAsStream(MODULE), MACHINE);
  }

  /** @param machine the class of a compiled module; null if its code is interpreted */
  ModulePlanner(Source source, String machine) {
    this.source = source;
    this.machine = machine;
  }

  /** Few, because each has its own memory. */
  @Override
  public int concurrent() {
    return 4;
  }

  @Override
  public void prepare() throws PlanFault {
    program();
  }

  @Override
  public byte[] answer(byte[] request) throws PlanFault, InterruptedException {
    return program().answer(request);
  }

  private synchronized ModuleProgram program() throws PlanFault {
    if (program == null) {
      if (System.getProperty("java.specification.version", "").startsWith("1.")) {
        throw new PlanFault("the planner inside the jar needs Java 11 or later: set " + ServerSettings.COMMAND + " in hive-site.xml");
      }
      program = ModuleProgram.of(read(), machine);
    }
    return program;
  }

  private byte[] read() throws PlanFault {
    try (InputStream in = source.open()) {
      if (in == null) {
        throw new PlanFault("this jar was built without a planner: set " + ServerSettings.COMMAND + " in hive-site.xml");
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 16];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) bytes.write(buffer, 0, count);
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new PlanFault("the planner inside the jar cannot be read: " + e.getMessage());
    }
  }
}
