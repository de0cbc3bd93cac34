import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Copies the default settings of Hadoop and HBase (core-default.xml and the like) out of the jars of a directory, without their
 * comments and descriptions, and without the settings of servers. Hive reads them several times for each job, and copies and
 * writes them: 400 KB, of which nearly all is descriptions, and more than a thousand settings, half of them for servers. The
 * class path of a Hive has the copies before its jars. Arguments: the directory of the jars, the directory to write to.
 */
public class Defaults {
  /** Settings of servers, and of stores that no trial uses; clients that read one of these have the same default in their code. */
  private static final Pattern OF_SERVERS =
      Pattern.compile(
          "yarn\\.(?!app\\.).*|mapreduce\\.(jobhistory|shuffle)\\..*"
              + "|hbase\\.(master|regionserver|hregion|hstore|mob|rest|thrift|http|server|normalizer|balancer)\\..*"
              + "|dfs\\.(namenode|datanode|journalnode|ha|balancer|mover|storage|provided|federation)\\..*"
              + "|hadoop\\.(http|registry|security\\.kms|kms)\\..*|fs\\.(s3a?|azure|abfss?|adl|wasbs?|viewfs)\\..*|adl\\..*");

  public static void main(String[] args) throws Exception {
    Map<String, File> jars = new TreeMap<>();
    for (File jar : Launch.files(args[0] + "/*")) {
      try (JarFile open = new JarFile(jar)) {
        open.stream().map(JarEntry::getName).filter(name -> name.matches("[a-z]+-default\\.xml")).forEach(name -> jars.put(name, jar));
      }
    }
    Path to = Files.createDirectories(Path.of(args[1]));
    for (Map.Entry<String, File> found : jars.entrySet()) {
      try (JarFile jar = new JarFile(found.getValue())) {
        Document settings =
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(jar.getInputStream(jar.getEntry(found.getKey())));
        shorten(settings.getDocumentElement());
        TransformerFactory.newInstance()
            .newTransformer()
            .transform(new DOMSource(settings.getDocumentElement()), new StreamResult(to.resolve(found.getKey()).toFile()));
      }
    }
  }

  private static boolean isOfServer(Node child) {
    if (!child.getNodeName().equals("property")) return false;
    Node name = ((Element) child).getElementsByTagName("name").item(0);
    return OF_SERVERS.matcher(name.getTextContent().trim()).matches();
  }

  /** What is left are properties, each with its name, its value and whether it is final. */
  private static void shorten(Element element) {
    boolean hasElements = element.getElementsByTagName("*").getLength() > 0;
    Node next;
    for (Node child = element.getFirstChild(); child != null; child = next) {
      next = child.getNextSibling();
      boolean isBlank = child.getNodeType() == Node.TEXT_NODE && hasElements;
      if (isBlank || child.getNodeType() == Node.COMMENT_NODE || child.getNodeName().equals("description") || isOfServer(child)) {
        element.removeChild(child);
      } else if (child instanceof Element) {
        shorten((Element) child);
      }
    }
  }
}
