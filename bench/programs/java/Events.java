import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The events of the jobs: bench/jobs/events.py says what every number means. */
final class Events {
    static final TypeInformation<Tuple3<Long, Long, Long>> TYPE = Types.TUPLE(Types.LONG, Types.LONG, Types.LONG);

    final StreamExecutionEnvironment env;
    final long count;
    private final boolean bursts;
    private final boolean ones;
    /** The folder with the events as files, for jobs that read them. */
    final String folder;
    /** The folder with the texts of queries in SQL. */
    final String queries;
    /** Whether results are compared. */
    final boolean checked;

    Events(
            StreamExecutionEnvironment env,
            long count,
            boolean bursts,
            boolean ones,
            String folder,
            String queries,
            boolean checked) {
        this.env = env;
        this.count = count;
        this.bursts = bursts;
        this.ones = ones;
        this.folder = folder;
        this.queries = queries;
        this.checked = checked;
    }

    DataStream<Tuple3<Long, Long, Long>> stream() {
        long half = (count + 1) / 2;
        long odd = 2 * half - 1;
        boolean inBursts = bursts;
        DataStream<Tuple3<Long, Long, Long>> events =
                env.fromSource(
                                new NumberSequenceSource(0, count - 1), WatermarkStrategy.noWatermarks(), "numbers")
                        .map(i -> event(i < half ? 2 * i : 2 * i - odd, inBursts))
                        .returns(TYPE);
        if (ones) {
            events = events.map(event -> Tuple3.of(event.f0, 1L, event.f2)).returns(TYPE);
        }
        return events.assignTimestampsAndWatermarks(
                WatermarkStrategy.<Tuple3<Long, Long, Long>>forBoundedOutOfOrderness(Duration.ofSeconds(1))
                        .withTimestampAssigner((event, previous) -> event.f2));
    }

    private static Tuple3<Long, Long, Long> event(long place, boolean inBursts) {
        long key = (place * 7_919 ^ place >> 7) % 10_000;
        return Tuple3.of(inBursts ? place / 20_000 * 1_000 + key % 1_000 : key, place % 1_000, place ^ 511);
    }
}
