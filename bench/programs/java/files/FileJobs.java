import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.table.data.RowData;

/**
 * The jobs that read files of events; apart from the others with all of this folder, because they need
 * jars that Flink's package lacks.
 */
final class FileJobs {
    static final Map<String, Function<Events, DataStream<?>>> TABLE = Map.of("parquet", FileJobs::tumbling);

    /** A row with names. */
    public static final class Reading implements Digest.Fields {
        public long key;
        public long amount;
        public long timestamp;

        @Override
        public long field(int position) {
            return position == 0 ? key : amount;
        }
    }

    private FileJobs() {}

    private static DataStream<?> tumbling(Events events) {
        WatermarkStrategy<RowData> watermarks =
                WatermarkStrategy.<RowData>forBoundedOutOfOrderness(Duration.ofSeconds(1))
                        .withTimestampAssigner((row, previous) -> row.getLong(2));
        return events.env
                .fromSource(Parquet.source(events, 3, "key", "amount", "timestamp"), watermarks, "files")
                .map(FileJobs::reading)
                .returns(Types.POJO(Reading.class))
                .keyBy(reading -> reading.key)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(60)))
                .sum("amount");
    }

    private static Reading reading(RowData row) {
        Reading reading = new Reading();
        reading.key = row.getLong(0);
        reading.amount = row.getLong(1);
        reading.timestamp = row.getLong(2);
        return reading;
    }
}
