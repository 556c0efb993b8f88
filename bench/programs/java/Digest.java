import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/** Counts the results of a job and adds up a hash of each: bench/jobs/digest.py computes the same. */
final class Digest extends RichFlatMapFunction<Object, Long> {
    private static final long PRIME = (1L << 31) - 1;

    /** A result that is no tuple. */
    interface Fields {
        long field(int position);
    }

    /** No field says for how many results one stands: it stands for itself. */
    static final int ONE = -1;

    private final int[] fields;
    private final int weight;
    private final LongCounter results = new LongCounter();
    private final LongCounter total = new LongCounter();

    Digest(int[] fields, int weight) {
        this.fields = fields;
        this.weight = weight;
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator("results", results);
        getRuntimeContext().addAccumulator("total", total);
    }

    @Override
    public void flatMap(Object result, Collector<Long> out) {
        long count = weight == ONE ? 1 : field(result, weight);
        if (result instanceof Row row && (row.getKind() == RowKind.UPDATE_BEFORE || row.getKind() == RowKind.DELETE)) {
            count = -count; // it takes a result back
        }
        results.add(count);
        long mixed = 0;
        if (fields.length == 0) {
            mixed = mixed(mixed, (Long) result);
        }
        for (int field : fields) {
            mixed = mixed(mixed, field(result, field));
        }
        total.add(count * (mixed * mixed % PRIME));
    }

    private static long field(Object result, int position) {
        if (result instanceof Fields named) {
            return named.field(position);
        }
        return result instanceof Row row ? number(row.getField(position)) : (Long) ((Tuple) result).getField(position);
    }

    /** A value of SQL: a time in milliseconds, a decimal in units of its last digit. */
    private static long number(Object value) {
        if (value instanceof Instant time) {
            return time.toEpochMilli();
        }
        if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC).toEpochMilli();
        }
        return value instanceof BigDecimal decimal
                ? decimal.unscaledValue().longValueExact()
                : ((Number) value).longValue();
    }

    private static long mixed(long before, long field) {
        return (before * before + 1_000_003 * Math.floorMod(field, PRIME) + 12_345) % PRIME;
    }
}
