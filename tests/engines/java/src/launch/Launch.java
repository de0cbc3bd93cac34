import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs a main class from a URLClassLoader: Hive 2 and 3 cast their class loader to one, and Java 9 and later no longer start with
 * one. Arguments: class path (a directory, a jar, or DIR/* for its jars), main class, its arguments.
 */
public class Launch {
  public static void main(String[] args) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : args[0].split(File.pathSeparator)) {
      for (File file : files(entry)) urls.add(file.toURI().toURL());
    }
    URLClassLoader loader = new Loader(urls.toArray(new URL[0]));
    Thread.currentThread().setContextClassLoader(loader);
    Class.forName(args[1], true, loader)
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
  }

  /** Remembers where a file is, or that it is nowhere: Hadoop looks for core-site.xml in 300 jars with every configuration. */
  private static class Loader extends URLClassLoader {
    private final Map<String, Optional<URL>> found = new ConcurrentHashMap<>();

    Loader(URL[] urls) {
      super(urls, ClassLoader.getPlatformClassLoader());
    }

    /** None: Hive gives those of its loader to a second one, which would then look in all jars again for what is nowhere. */
    @Override
    public URL[] getURLs() {
      return new URL[0];
    }

    @Override
    public URL findResource(String name) {
      Optional<URL> known = found.get(name);
      if (known == null) {
        known = Optional.ofNullable(super.findResource(name));
        found.put(name, known);
      }
      return known.orElse(null);
    }
  }

  static File[] files(String entry) {
    if (!entry.endsWith("/*")) return new File[] {new File(entry)};
    File directory = new File(entry.substring(0, entry.length() - 2));
    File[] jars = directory.listFiles((d, name) -> name.endsWith(".jar"));
    if (jars == null) throw new IllegalArgumentException("no such directory: " + directory);
    return jars;
  }
}
