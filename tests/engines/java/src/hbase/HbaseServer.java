import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;

/**
 * HBase in one process: ZooKeeper, master, region server. Arguments: the file to create when a client can work; the process id
 * of the owner, or 0 for none. HBase ends when its owner ends, however the owner ends.
 */
public class HbaseServer {
  public static void main(String[] args) {
    long owner = Long.parseLong(args[1]);
    if (owner != 0) endWith(owner);
    Thread watch = new Thread(() -> announce(Path.of(args[0])), "announce");
    watch.setDaemon(true);
    watch.start();
    withoutRestartsOfMetrics();
    HMaster.main(new String[] {"start"});
  }

  /** HBase registers all its metrics again five seconds after a region opens or closes, which is a fifth of its work here. */
  private static void withoutRestartsOfMetrics() {
    // Otherwise there would be nothing that stop() can cancel.
    JmxCacheBuster.clearJmxCache();
    JmxCacheBuster.stop();
  }

  static void endWith(long owner) {
    ProcessHandle.of(owner)
        .orElseThrow(() -> new IllegalArgumentException("the owner, process " + owner + ", is gone already"))
        .onExit()
        .thenRun(() -> Runtime.getRuntime().halt(0));
  }

  /** Polls until the master answers, a region server has registered, and the namespaces are readable. */
  private static void announce(Path ready) {
    while (true) {
      try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
          Admin admin = connection.getAdmin()) {
        if (!admin.getRegionServers().isEmpty() && admin.listNamespaceDescriptors().length > 0) {
          Files.createFile(ready);
          return;
        }
      } catch (Exception notYet) {
        // The caller waits for the file, with a deadline of its own.
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException stop) {
        return;
      }
    }
  }
}
