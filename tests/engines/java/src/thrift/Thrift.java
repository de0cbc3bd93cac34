import org.apache.hadoop.hbase.thrift.ThriftServer;

/** The Thrift server of HBase. Arguments: the port; the process id of the owner, with which it ends. */
public class Thrift {
  public static void main(String[] args) throws Exception {
    HbaseServer.endWith(Long.parseLong(args[1]));
    ThriftServer.main(new String[] {"--bind", "127.0.0.1", "--port", args[0], "--infoport", "-1", "start"});
  }
}
