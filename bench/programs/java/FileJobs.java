import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;
import org.apache.flink.formats.parquet.ParquetColumnarRowInputFormat;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.hadoop.conf.Configuration;

/** The jobs that read files of events; apart from the others, because they need jars that Flink's package lacks. */
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
        RowType type =
                RowType.of(
                        new LogicalType[] {new BigIntType(), new BigIntType(), new BigIntType()},
                        new String[] {"key", "amount", "timestamp"});
        TypeInformation<RowData> produced = InternalTypeInfo.of(type);
        ParquetColumnarRowInputFormat<FileSourceSplit> format =
                new ParquetColumnarRowInputFormat<>(new Configuration(), type, produced, 2_048, false, true);
        FileSource<RowData> source =
                FileSource.forBulkFileFormat(format, new Path(events.folder, Long.toString(events.count)))
                        .setSplitAssigner(InOrderOfNames::new)
                        .build();
        WatermarkStrategy<RowData> watermarks =
                WatermarkStrategy.<RowData>forBoundedOutOfOrderness(Duration.ofSeconds(1))
                        .withTimestampAssigner((row, previous) -> row.getLong(2));
        return events.env
                .fromSource(source, watermarks, "files")
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
