import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/** {@link LocalFiles} for the second interface of Hadoop's file systems, which the local MapReduce uses for each job. */
public class LocalContext extends DelegateToFileSystem {
  public LocalContext(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new LocalFiles(), conf, "file", false);
  }

  @Override
  public int getUriDefaultPort() {
    return -1;
  }
}
