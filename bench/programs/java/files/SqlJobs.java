import static org.apache.flink.table.api.DataTypes.BIGINT;
import static org.apache.flink.table.api.DataTypes.STRING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;

/** The jobs in SQL, as in bench/jobs/sql.py: the texts in bench/sql, by Flink's own planner. */
final class SqlJobs {
    static final Map<String, Function<Events, DataStream<?>>> TABLE =
            Map.ofEntries(
                    Map.entry("sql-tumble", events -> onEvents(events, "tumble")),
                    Map.entry("sql-hop", events -> onEvents(events, "hop")),
                    Map.entry("sql-session", events -> onEvents(events, "session")),
                    Map.entry("sql-q0", events -> onNexmark(events, "q0")),
                    Map.entry("sql-q1", events -> onNexmark(events, "q1")),
                    Map.entry("sql-q2", events -> onNexmark(events, "q2")),
                    Map.entry("sql-q3", events -> onNexmark(events, "q3")),
                    Map.entry("sql-q4", events -> onNexmark(events, "q4")),
                    Map.entry("sql-q5", events -> onNexmark(events, "q5")),
                    Map.entry("sql-q7", events -> onNexmark(events, "q7")),
                    Map.entry("sql-q8", events -> onNexmark(events, "q8")),
                    Map.entry("sql-q11", events -> onNexmark(events, "q11")),
                    Map.entry("sql-q12", events -> onNexmark(events, "q12")));

    private SqlJobs() {}

    private static DataStream<?> onEvents(Events events, String name) {
        return query(tables(events, "events", 1, 3, "key", "amount", "timestamp"), events, name);
    }

    private static DataStream<?> onNexmark(Events events, String name) {
        StreamTableEnvironment tables =
                tables(events, "nexmark", 4, 5, "kind", "auction", "person", "price", "timestamp", "name");
        if (name.equals("q3") || name.equals("q4")) { // joins without a bound in time
            tables.getConfig().set("table.exec.state.ttl", "1 h");
        }
        run(tables, text(events, "views"));
        if (name.equals("q12") && events.checked) { // so that windows of the clock end before the input does
            run(tables, text(events, "after_bids"));
        }
        return query(tables, events, name);
    }

    private static void run(StreamTableEnvironment tables, String statements) {
        for (String statement : statements.split(";")) {
            tables.executeSql(statement);
        }
    }

    /** A table of the files; their source gives them out in order, which that of Flink's table connector does not. */
    private static StreamTableEnvironment tables(
            Events events, String name, int delay, int integers, String... columns) {
        StreamTableEnvironment tables = StreamTableEnvironment.create(events.env);
        tables.getConfig().set("table.local-time-zone", "UTC");
        Schema.Builder schema = Schema.newBuilder();
        for (int i = 0; i < columns.length; i++) {
            schema.column(columns[i], i < integers ? BIGINT() : STRING());
        }
        schema.columnByExpression("ts", "TO_TIMESTAMP_LTZ(`timestamp`, 3)")
                .watermark("ts", "ts - INTERVAL '" + delay + "' SECOND");
        DataStream<RowData> rows =
                events.env.fromSource(
                        Parquet.source(events, integers, columns), WatermarkStrategy.noWatermarks(), name);
        tables.createTemporaryView(name, rows, schema.build());
        return tables;
    }

    /** The rows as the planner has them, which costs nothing; as objects while they are checked. */
    private static DataStream<?> query(StreamTableEnvironment tables, Events events, String name) {
        String text = text(events, name);
        if (name.equals("q12") && events.checked) {
            text = "SELECT * FROM (" + text + ") WHERE bidder >= 0";
        }
        Table table = tables.sqlQuery(text);
        if (events.checked || name.equals("q4")) { // its rows take back others
            return tables.toChangelogStream(table);
        }
        DataType type = table.getResolvedSchema().toPhysicalRowDataType().notNull().bridgedTo(RowData.class);
        return tables.toDataStream(table, type);
    }

    private static String text(Events events, String name) {
        try {
            return Files.readString(Path.of(events.queries, name + ".sql"));
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
