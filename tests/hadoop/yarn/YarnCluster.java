import java.io.FileOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/** HDFS, and YARN with one machine for containers: {@code YarnCluster FOLDER NAME=VALUE ...}. */
class YarnCluster {
    public static void main(String[] given) {
        try {
            start(given);
        } catch (Throwable failure) { // what has been started would go on
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static void start(String[] given) throws Exception {
        Configuration settings = new YarnConfiguration();
        for (int i = 1; i < given.length; i++) {
            String[] parts = given[i].split("=", 2);
            settings.set(parts[0], parts[1]);
        }
        MiniDFSCluster files = new MiniDFSCluster.Builder(settings, Path.of(given[0], "data").toFile()).build();
        Configuration ofYarn = new YarnConfiguration(settings);
        ofYarn.set("fs.defaultFS", files.getURI().toString());
        MiniYARNCluster cluster = new MiniYARNCluster("yarn", 1, 1, 1);
        cluster.init(ofYarn);
        cluster.start();
        if (!cluster.waitForNodeManagersToConnect(60_000)) {
            throw new IllegalStateException("no machine for containers has come");
        }
        // The folders for containers are looked at once, by who asks first: that may be a thread that is interrupted, and
        // then there are none for good. Here nobody interrupts, and what is wrong with them is said at the start.
        cluster.getNodeManager(0).getNMContext().getLocalDirsHandler().getLocalPathForWrite("first");
        Configuration ofClients = new Configuration(cluster.getConfig());
        ofClients.unset("net.topology.node.switch.mapping.impl"); // a class that only tests of Hadoop have
        Path folder = Path.of(given[0], "client");
        Path written = folder.resolve("yarn-site.xml");
        try (FileOutputStream stream = new FileOutputStream(written.toFile())) {
            ofClients.writeXml(stream);
        }
        // Whoever waits for the second file finds all of both.
        Files.copy(written, folder.resolve("part"));
        Files.move(folder.resolve("part"), folder.resolve("core-site.xml"));
        Thread.currentThread().join();
    }
}
