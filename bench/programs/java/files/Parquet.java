import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;
import org.apache.flink.formats.parquet.ParquetColumnarRowInputFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.hadoop.conf.Configuration;

/** Reads the files that bench/jobs/event_files.py writes. */
final class Parquet {
    private static final int ROWS_AT_ONCE = 2_048;

    private Parquet() {}

    /** The rows of columns with these names: first so many of integers, then those of texts. */
    static FileSource<RowData> source(Events events, int integers, String... names) {
        LogicalType[] types = new LogicalType[names.length];
        for (int i = 0; i < names.length; i++) {
            types[i] = i < integers ? new BigIntType() : VarCharType.STRING_TYPE;
        }
        RowType type = RowType.of(types, names);
        ParquetColumnarRowInputFormat<FileSourceSplit> format =
                new ParquetColumnarRowInputFormat<>(
                        new Configuration(), type, InternalTypeInfo.of(type), ROWS_AT_ONCE, false, true);
        return FileSource.forBulkFileFormat(format, new Path(events.folder, Long.toString(events.count)))
                .setSplitAssigner(InOrderOfNames::new)
                .build();
    }
}
