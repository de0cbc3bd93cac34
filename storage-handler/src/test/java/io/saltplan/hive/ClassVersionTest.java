package io.saltplan.hive;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.DataInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/** Java 8 loads every class of this jar but those that the module runs on, which only one class names. */
public class ClassVersionTest {
  @Test
  public void java8LoadsTheClasses() throws Exception {
    Path place = Paths.get(RangesStorageHandler.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> later = new ArrayList<>();
    if (Files.isDirectory(place)) {
      check(place, later);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(place, (ClassLoader) null)) {
        check(jar.getPath("/"), later);
      }
    }
    assertEquals("classes that name those of Chicory", "[ModuleProgram]", later.toString());
  }

  private static void check(Path root, List<String> later) throws Exception {
    List<Path> classes;
    // In a folder below are those that are made of the module.
    try (Stream<Path> files = Files.list(root.resolve("io/saltplan/hive"))) {
      classes = files.filter(file -> file.toString().endsWith(".class")).sorted().collect(Collectors.toList());
    }
    assertTrue(classes.size() + " classes", classes.size() > 15);
    for (Path file : classes) {
      try (InputStream in = Files.newInputStream(file)) {
        DataInputStream data = new DataInputStream(in);
        data.readInt();
        data.readUnsignedShort();
        int version = data.readUnsignedShort();
        assertTrue(file + " has version " + version, version <= 52);
      }
      String name = file.getFileName().toString().replaceAll("[$.].*", "");
      boolean isLater = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("com/dylibso/");
      if (isLater && !later.contains(name)) later.add(name);
    }
  }
}
