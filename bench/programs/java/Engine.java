import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Runs a job on a cluster in this process as often as the lines of the standard input ask for; bench/jobs/__main__.py is
 * its twin and bench/jobs/requests.py says what a line has.
 *
 * <p>Arguments, each name=value: jobs (the class with the table of jobs), job, backend (hashmap or rocksdb), checkpoint
 * (milliseconds between checkpoints, 0 for none), parallelism, fields, weight, bursts, ones,
 * folder, queries.
 */
public final class Engine {
    private static final int MOST_TRIES = 1000;

    private final Map<String, String> options;
    private final MiniCluster cluster;

    private Engine(Map<String, String> options, MiniCluster cluster) {
        this.options = options;
        this.cluster = cluster;
    }

    public static void main(String[] args) {
        try {
            answerRequests(args);
            System.exit(0);
        } catch (Exception error) {
            // Threads of a cluster that could not start would keep the process alive.
            error.printStackTrace();
            System.exit(1);
        }
    }

    private static void answerRequests(String[] args) throws Exception {
        Map<String, String> options = pairs(args);
        Configuration configuration = new Configuration();
        configuration.setString("taskmanager.memory.managed.size", "2g");
        // Any port that is free: nobody asks, and several clusters may run.
        configuration.setString("rest.port", "0");
        MiniClusterConfiguration clusterConfiguration =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(Integer.parseInt(options.get("parallelism")))
                        .build();
        try (MiniCluster cluster = new MiniCluster(clusterConfiguration);
                BufferedReader requests = new BufferedReader(new InputStreamReader(System.in))) {
            cluster.start();
            Engine engine = new Engine(options, cluster);
            for (String line = requests.readLine(); line != null; line = requests.readLine()) {
                System.out.println(engine.answer(pairs(line.split(" "))));
            }
        }
    }

    private String answer(Map<String, String> request) throws Exception {
        Path checkpoints = Files.createTempDirectory("checkpoints");
        try {
            StreamExecutionEnvironment env = environment(request, checkpoints);
            boolean checked = Boolean.parseBoolean(request.get("checked"));
            boolean ones = checked && Boolean.parseBoolean(options.get("ones"));
            boolean bursts = Boolean.parseBoolean(options.get("bursts"));
            Events events =
                    new Events(
                            env,
                            Long.parseLong(request.get("events")),
                            bursts,
                            ones,
                            options.get("folder"),
                            options.get("queries"),
                            checked);
            DataStream<?> results = job().apply(events);
            if (checked) {
                results = digested(results);
            }
            results.sinkTo(new DiscardingSink<>());
            long started = System.nanoTime();
            JobExecutionResult done = cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
            double seconds = (System.nanoTime() - started) / 1e9;
            String digest =
                    checked
                            ? String.format(
                                    ", \"results\": %d, \"total\": %d",
                                    (Long) done.getAccumulatorResult("results"),
                                    (Long) done.getAccumulatorResult("total"))
                            : "";
            return String.format("{\"seconds\": %.4f%s}", seconds, digest);
        } finally {
            remove(checkpoints);
        }
    }

    private StreamExecutionEnvironment environment(Map<String, String> request, Path checkpoints) {
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", options.get("backend"));
        configuration.setString("pipeline.object-reuse", request.get("object_reuse"));
        // With checkpoints a job that fails would begin again without end, and nobody would hear of it.
        configuration.setString("restart-strategy.type", "none");
        long interval = Long.parseLong(options.get("checkpoint"));
        if (interval > 0) {
            configuration.setString("execution.checkpointing.interval", interval + "ms");
            configuration.setString("execution.checkpointing.dir", checkpoints.toUri().toString());
            configuration.setString("execution.checkpointing.incremental", "true");
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(Integer.parseInt(options.get("parallelism")));
        return env;
    }

    @SuppressWarnings("unchecked")
    private Function<Events, DataStream<?>> job() throws ReflectiveOperationException {
        var table = Class.forName(options.get("jobs")).getDeclaredField("TABLE").get(null);
        return ((Map<String, Function<Events, DataStream<?>>>) table).get(options.get("job"));
    }

    @SuppressWarnings("unchecked")
    private DataStream<?> digested(DataStream<?> results) {
        String listed = options.get("fields");
        int[] fields =
                listed.isEmpty() ? new int[0] : Arrays.stream(listed.split(",")).mapToInt(Integer::parseInt).toArray();
        int weight = options.get("weight").isEmpty() ? Digest.ONE : Integer.parseInt(options.get("weight"));
        return ((DataStream<Object>) results).flatMap(new Digest(fields, weight)).returns(Types.LONG);
    }

    private static Map<String, String> pairs(String[] words) {
        Map<String, String> pairs = new HashMap<>();
        for (String word : words) {
            String[] pair = word.split("=", 2);
            pairs.put(pair[0], pair[1]);
        }
        return pairs;
    }

    /** Flink may still be removing a checkpoint that another has replaced: then what is left is looked for again. */
    private static void remove(Path folder) throws IOException {
        for (int tries = 1; ; tries++) {
            try (Stream<Path> paths = Files.walk(folder)) {
                paths.sorted(Comparator.reverseOrder()).forEach(Engine::removeOne);
                return;
            } catch (UncheckedIOException error) {
                if (tries == MOST_TRIES) {
                    throw error;
                }
            }
        }
    }

    private static void removeOne(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
