import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system, without processes and copies, and renaming like HDFS. Without its native library, Hadoop runs `chmod` for each file that it
 * creates and `ls` for each that it lists, thousands of times in a trial. And it copies the jar of Hive (45 MB) for each
 * MapReduce job, although the tasks run in this JVM.
 */
public class LocalFiles extends LocalFileSystem {
  public LocalFiles() {
    super(new Raw());
  }

  @Override
  public void copyFromLocalFile(boolean delete, Path from, Path to) throws IOException {
    if (!delete && to.getName().equals("job.jar")) {
      try {
        Files.createLink(pathToFile(to).toPath(), pathToFile(from).toPath());
        return;
      } catch (FileSystemException e) {
        // On another file system: it is copied.
      }
    }
    super.copyFromLocalFile(delete, from, to);
  }

  /** Like HDFS and Hive's own local file system, it replaces no file: INSERT INTO of Hive 2.3.9 then takes another name. */
  @Override
  public boolean rename(Path from, Path to) throws IOException {
    return !pathToFile(to).isFile() && super.rename(from, to);
  }

  private static class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      File file = pathToFile(path);
      try {
        Files.setAttribute(file.toPath(), "unix:mode", (int) permission.toShort());
      } catch (NoSuchFileException e) {
        throw new FileNotFoundException("File " + file + " does not exist");
      }
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      return withPermission(super.getFileStatus(path));
    }

    /** Hadoop's own runs `readlink`. */
    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
      return Files.isSymbolicLink(pathToFile(path).toPath()) ? super.getFileLinkStatus(path) : getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
      FileStatus[] all = super.listStatus(path);
      for (int i = 0; i < all.length; i++) all[i] = withPermission(all[i]);
      return all;
    }

    /** Reads the permission now; Hadoop's own status would run `ls` when it is asked. */
    private FileStatus withPermission(FileStatus status) throws IOException {
      if (status.getClass() == FileStatus.class) return status;
      Map<String, Object> read;
      try {
        read = Files.readAttributes(pathToFile(status.getPath()).toPath(), "unix:mode,owner,group");
      } catch (NoSuchFileException e) {
        throw new FileNotFoundException("File " + status.getPath() + " does not exist");
      }
      return new FileStatus(
          status.getLen(),
          status.isDirectory(),
          status.getReplication(),
          status.getBlockSize(),
          status.getModificationTime(),
          status.getAccessTime(),
          new FsPermission((short) ((int) read.get("mode") & 07777)),
          read.get("owner").toString(),
          read.get("group").toString(),
          status.getPath());
    }
  }
}
