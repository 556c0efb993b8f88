import java.time.Duration;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * The benchmark's job for Flink's Java API; bench/workload.py says what every number means.
 *
 * <p>Arguments: state backend (hashmap or rocksdb), parallelism, warm-up events, events, runs. Prints a line of JSON per
 * timed run. The cluster is started once, before the first run.
 */
public final class TumblingSum {

    private static final long KEYS = 10_000;
    private static final long BOUND_MS = 1_000;
    private static final long JITTER = 511;

    private TumblingSum() {}

    public static void main(String[] args) throws Exception {
        int parallelism = Integer.parseInt(args[1]);
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.type", args[0]);
        MiniClusterConfiguration clusterConfiguration =
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(parallelism)
                        .build();
        try (MiniCluster cluster = new MiniCluster(clusterConfiguration)) {
            cluster.start();
            run(cluster, configuration, parallelism, Long.parseLong(args[2]));
            int runs = Integer.parseInt(args[4]);
            for (int i = 0; i < runs; i++) {
                System.out.println(run(cluster, configuration, parallelism, Long.parseLong(args[3])));
            }
        }
    }

    private static String run(MiniCluster cluster, Configuration configuration, int parallelism, long events)
            throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        long half = (events + 1) / 2;
        long odd = 2 * half - 1;
        env.fromSource(new NumberSequenceSource(0, events - 1), WatermarkStrategy.noWatermarks(), "numbers")
                .map(i -> event(i < half ? 2 * i : 2 * i - odd))
                .returns(Types.TUPLE(Types.LONG, Types.LONG, Types.LONG))
                .assignTimestampsAndWatermarks(
                        WatermarkStrategy.<Tuple3<Long, Long, Long>>forBoundedOutOfOrderness(
                                        Duration.ofMillis(BOUND_MS))
                                .withTimestampAssigner((event, previous) -> event.f2))
                .keyBy(event -> event.f0)
                .window(TumblingEventTimeWindows.of(Duration.ofMinutes(1)))
                .reduce((a, b) -> Tuple3.of(a.f0, a.f1 + b.f1, a.f2))
                .map(new Count())
                .sinkTo(new DiscardingSink<>());
        long started = System.nanoTime();
        JobExecutionResult result = cluster.executeJobBlocking(env.getStreamGraph().getJobGraph());
        double seconds = (System.nanoTime() - started) / 1e9;
        return String.format(
                "{\"seconds\": %.3f, \"results\": %d, \"total\": %d}",
                seconds, (Long) result.getAccumulatorResult("results"), (Long) result.getAccumulatorResult("total"));
    }

    private static Tuple3<Long, Long, Long> event(long position) {
        return Tuple3.of((position * 7_919 ^ position >> 7) % KEYS, position, position ^ JITTER);
    }

    /** Counts the results and sums them, so that the work done can be checked. */
    private static final class Count extends RichMapFunction<Tuple3<Long, Long, Long>, Long> {
        private final LongCounter results = new LongCounter();
        private final LongCounter total = new LongCounter();

        @Override
        public void open(OpenContext context) {
            getRuntimeContext().addAccumulator("results", results);
            getRuntimeContext().addAccumulator("total", total);
        }

        @Override
        public Long map(Tuple3<Long, Long, Long> result) {
            results.add(1L);
            total.add(result.f1);
            return result.f1;
        }
    }
}
