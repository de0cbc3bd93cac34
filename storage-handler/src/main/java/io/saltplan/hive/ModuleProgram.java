package io.saltplan.hive;

import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasi.WasiExitException;
import com.dylibso.chicory.wasi.WasiOptions;
import com.dylibso.chicory.wasi.WasiPreview1;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.MemoryLimits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;

/** A module of WebAssembly that reads a request on standard input and writes its answer on standard output. */
final class ModuleProgram {
  /** 64 KiB each. */
  private static final int MAX_PAGES = 1024;

  private final WasmModule module;
  private final MemoryLimits memory;
  /** Null if the code is interpreted. */
  private final Constructor<? extends Machine> machine;

  private ModuleProgram(WasmModule module, MemoryLimits memory, Constructor<? extends Machine> machine) {
    this.module = module;
    this.memory = memory;
    this.machine = machine;
  }

  static ModuleProgram of(byte[] bytes, String machine) throws PlanFault {
    try {
      WasmModule module = Parser.parse(bytes);
      int initial = module.memorySection().map(memories -> memories.getMemory(0).limits().initialPages()).orElse(0);
      if (initial > MAX_PAGES) throw new PlanFault("the planner inside the jar needs more than " + MAX_PAGES + " pages of memory");
      return new ModuleProgram(module, new MemoryLimits(initial, MAX_PAGES), machine == null ? null : constructor(machine));
    } catch (ReflectiveOperationException e) {
      throw new PlanFault("the planner inside the jar is not whole: " + e);
    } catch (ChicoryException e) {
      throw new PlanFault("the planner inside the jar is no module: " + e.getMessage());
    }
  }

  /** By name, because the class is made of the module, and without a module there is a jar, too. */
  private static Constructor<? extends Machine> constructor(String machine) throws ReflectiveOperationException {
    return Class.forName(machine).asSubclass(Machine.class).getConstructor(Instance.class);
  }

  private Machine machine(Instance instance) {
    try {
      return machine.newInstance(instance);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Each request has its own instance, so that nothing of one is left for the next. */
  byte[] answer(byte[] request) throws PlanFault {
    Bounded out = new Bounded(ProcessPlanner.MAX_ANSWER);
    Bounded err = new Bounded(ProcessPlanner.MAX_ANSWER);
    int code = run(new ByteArrayInputStream(request), out, err);
    return ProcessPlanner.finished(code, out.toByteArray(), new String(err.toByteArray(), StandardCharsets.UTF_8));
  }

  private int run(ByteArrayInputStream in, Bounded out, Bounded err) throws PlanFault {
    WasiOptions options = WasiOptions.builder().withStdin(in).withStdout(out).withStderr(err).build();
    try (WasiPreview1 wasi = WasiPreview1.builder().withOptions(options).build()) {
      ImportValues imports = ImportValues.builder().addFunction(wasi.toHostFunctions()).build();
      Instance.Builder builder =
          Instance.builder(module).withImportValues(imports).withMemoryLimits(memory).withStart(false);
      if (machine != null) builder = builder.withMachineFactory(this::machine);
      Instance instance = builder.build();
      instance.export("_start").apply();
      return 0;
    } catch (WasiExitException e) {
      return e.exitCode();
    } catch (TooMuch e) {
      throw new PlanFault("the planner wrote more than " + ProcessPlanner.MAX_ANSWER + " bytes");
    } catch (ChicoryException e) {
      throw new PlanFault("the planner died: " + PlanAnswer.shown(e.getMessage() == null ? e : e.getMessage()));
    }
  }

  /** Ends the module, which could ignore a failure of its write. */
  private static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static final class Bounded extends ByteArrayOutputStream {
    private final int limit;

    Bounded(int limit) {
      this.limit = limit;
    }

    @Override
    public synchronized void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      if (length > limit - count) throw new TooMuch();
      super.write(bytes, offset, length);
    }
  }
}
