import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The user functions of the jobs. */
final class Functions {
    private Functions() {}

    /** The largest value in a window, from all that it holds. */
    static final class Largest extends ProcessWindowFunction<Tuple3<Long, Long, Long>, Long, Long, TimeWindow> {
        @Override
        public void process(Long key, Context context, Iterable<Tuple3<Long, Long, Long>> events, Collector<Long> out) {
            long largest = 0;
            for (Tuple3<Long, Long, Long> event : events) {
                largest = Math.max(largest, event.f1);
            }
            out.collect(largest);
        }
    }

    /** Both values added up. */
    static final class Sum extends ProcessJoinFunction<Tuple3<Long, Long, Long>, Tuple3<Long, Long, Long>, Long> {
        @Override
        public void processElement(
                Tuple3<Long, Long, Long> left, Tuple3<Long, Long, Long> right, Context context, Collector<Long> out) {
            out.collect(left.f1 + right.f1);
        }
    }

    /** Keeps a key's sum, and tells it at the end of each period in which the key had an event. */
    static final class SumWithTimers
            extends KeyedProcessFunction<Long, Tuple3<Long, Long, Long>, Tuple2<Long, Long>> {
        private final long period;
        private transient ValueState<Long> sum;

        SumWithTimers(long period) {
            this.period = period;
        }

        @Override
        public void open(OpenContext context) {
            sum = getRuntimeContext().getState(new ValueStateDescriptor<>("sum", Types.LONG));
        }

        @Override
        public void processElement(Tuple3<Long, Long, Long> event, Context context, Collector<Tuple2<Long, Long>> out)
                throws Exception {
            Long held = sum.value();
            sum.update(held == null ? event.f1 : held + event.f1);
            context.timerService().registerEventTimeTimer(event.f2 / period * period + period);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<Tuple2<Long, Long>> out)
                throws Exception {
            out.collect(Tuple2.of(context.getCurrentKey(), sum.value()));
        }
    }
}
