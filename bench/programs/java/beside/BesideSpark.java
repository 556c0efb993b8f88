import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.legacy.RichParallelSourceFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * The jobs of bench/programs/delay.py and idle.py: arguments are the job, its folder, and seconds that pass before it
 * counts; delay has seconds that count, too. It prints the milliseconds of each window, as JSON. An idle job runs until
 * it is killed.
 */
public final class BesideSpark {
    private static final int PARALLELISM = 2;
    private static final int PER_SECOND = 1000;
    private static final int KEYS = 10;
    private static final Duration WINDOW = Duration.ofMillis(1000);
    private static final Duration OFFSET = Duration.ofMillis(500);
    /** When the program had the first sum of a window whose last element has this time. */
    private static final ConcurrentSkipListMap<Long, Long> SEEN = new ConcurrentSkipListMap<>();

    public static void main(String[] args) {
        try {
            run(args);
            System.exit(0);
        } catch (Exception error) {
            // Threads of a cluster that could not start would keep the process alive.
            error.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(String[] args) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("rest.port", "0");
        MiniClusterConfiguration ofCluster =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(PARALLELISM)
                        .build();
        try (MiniCluster cluster = new MiniCluster(ofCluster)) {
            cluster.start();
            StreamExecutionEnvironment env = environment(Path.of(args[1], "checkpoints"));
            if (args[0].equals("idle")) {
                idle(env, args[1]);
                cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
                return;
            }
            delay(env);
            JobID job = cluster.submitJob(env.getStreamGraph().getJobGraph()).get().getJobID();
            while (SEEN.isEmpty()) {
                Thread.sleep(100);
            }
            long since = System.currentTimeMillis() + 1000 * Long.parseLong(args[2]);
            Thread.sleep(since - System.currentTimeMillis() + 1000 * Long.parseLong(args[3]));
            StringBuilder delays = new StringBuilder();
            for (Map.Entry<Long, Long> window : SEEN.tailMap(since).entrySet()) {
                delays.append(delays.length() == 0 ? "" : ", ").append(window.getValue() - window.getKey());
            }
            cluster.cancelJob(job).get();
            System.out.println("[" + delays + "]");
        }
    }

    private static StreamExecutionEnvironment environment(Path checkpoints) throws Exception {
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", "rocksdb");
        configuration.setString("execution.checkpointing.interval", "2s");
        configuration.setString("execution.checkpointing.dir", Files.createDirectories(checkpoints).toUri().toString());
        configuration.setString("execution.checkpointing.incremental", "true");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(PARALLELISM);
        return env;
    }

    private static void delay(StreamExecutionEnvironment env) {
        env.addSource(new Rate(), Types.TUPLE(Types.LONG, Types.LONG, Types.LONG))
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Tuple3<Long, Long, Long>>forMonotonousTimestamps()
                                .withTimestampAssigner((element, before) -> element.f1))
                .keyBy(element -> element.f0)
                .window(TumblingEventTimeWindows.of(WINDOW, OFFSET))
                .reduce((a, b) -> Tuple3.of(a.f0, a.f1 + b.f1, Math.max(a.f2, b.f2)))
                .sinkTo(new Noting());
    }

    private static void idle(StreamExecutionEnvironment env, String folder) {
        FileSource<String> source =
                FileSource.forRecordStreamFormat(
                                new TextLineInputFormat(), new org.apache.flink.core.fs.Path(folder + "/lines"))
                        .monitorContinuously(Duration.ofSeconds(1))
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "lines")
                .map(line -> Tuple2.of(line, 1L))
                .returns(Types.TUPLE(Types.STRING, Types.LONG))
                .keyBy(pair -> pair.f0)
                .sum(1)
                .sinkTo(new DiscardingSink<>());
    }

    /** As Spark's rate source: a second's elements at once, when it is over. A key, a number, and its time. */
    private static final class Rate extends RichParallelSourceFunction<Tuple3<Long, Long, Long>> {
        private volatile boolean runs = true;

        @Override
        public void run(SourceContext<Tuple3<Long, Long, Long>> context) throws Exception {
            int subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
            long first = System.currentTimeMillis() / 1000;
            for (long second = first; runs; second++) {
                Thread.sleep(Math.max(0, (second + 1) * 1000 - System.currentTimeMillis()));
                synchronized (context.getCheckpointLock()) {
                    for (long i = subtask; i < PER_SECOND; i += PARALLELISM) {
                        long number = (second - first) * PER_SECOND + i;
                        context.collect(Tuple3.of(number % KEYS, number, second * 1000 + i * 1000 / PER_SECOND));
                    }
                }
            }
        }

        @Override
        public void cancel() {
            runs = false;
        }
    }

    /** Notes when a sum is there. */
    private static final class Noting implements Sink<Tuple3<Long, Long, Long>> {
        @Override
        public SinkWriter<Tuple3<Long, Long, Long>> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(Tuple3<Long, Long, Long> sum, Context context) {
                    SEEN.putIfAbsent(sum.f2, System.currentTimeMillis());
                }

                @Override
                public void flush(boolean endOfInput) {}

                @Override
                public void close() {}
            };
        }
    }
}
