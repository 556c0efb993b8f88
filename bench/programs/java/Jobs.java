import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.triggers.ContinuousEventTimeTrigger;

/** The jobs on events, by their names in bench/jobs/table.py. */
final class Jobs {
    private static final ReduceFunction<Tuple3<Long, Long, Long>> SUM =
            (a, b) -> Tuple3.of(a.f0, a.f1 + b.f1, b.f2);
    private static final TumblingEventTimeWindows MINUTE = TumblingEventTimeWindows.of(Duration.ofSeconds(60));

    static final Map<String, Function<Events, DataStream<?>>> TABLE =
            Map.ofEntries(
                    Map.entry("filter", Jobs::filtered),
                    Map.entry("tumbling", events -> keyed(events).window(MINUTE).reduce(SUM)),
                    Map.entry(
                            "tumbling-late",
                            events -> keyed(events).window(MINUTE).allowedLateness(Duration.ofSeconds(10)).reduce(SUM)),
                    Map.entry("tumbling-early", Jobs::tumblingEarly),
                    Map.entry("sliding", events -> keyed(events).window(sliding(5_000)).reduce(SUM)),
                    Map.entry("sliding-fine", events -> keyed(events).window(sliding(500)).reduce(SUM)),
                    Map.entry(
                            "session",
                            events ->
                                    keyed(events)
                                            .window(EventTimeSessionWindows.withGap(Duration.ofSeconds(5)))
                                            .reduce(SUM)),
                    Map.entry("process", events -> keyed(events).window(sliding(5_000)).process(new Functions.Largest())),
                    Map.entry("interval", Jobs::interval),
                    Map.entry("running", events -> keyed(events).reduce(SUM)),
                    Map.entry("count", events -> keyed(events).countWindow(20).reduce(SUM)),
                    Map.entry("timers", events -> keyed(events).process(new Functions.SumWithTimers(60_000))),
                    Map.entry("due-timers", Jobs::dueTimers));

    private Jobs() {}

    private static KeyedStream<Tuple3<Long, Long, Long>, Long> keyed(Events events) {
        return events.stream().keyBy(event -> event.f0);
    }

    private static DataStream<?> tumblingEarly(Events events) {
        DataStream<Tuple3<Long, Long, Long>> sums =
                keyed(events)
                        .window(MINUTE)
                        .trigger(ContinuousEventTimeTrigger.of(Duration.ofSeconds(10)))
                        .reduce(SUM);
        if (!events.checked) {
            return sums;
        }
        // Not the windows that end with the stream: Flink sorts their elements, and takes no checkpoints then.
        return sums.keyBy(
                        result -> Tuple2.of(result.f0, result.f2 / 60_000), Types.TUPLE(Types.LONG, Types.LONG))
                .window(TumblingEventTimeWindows.of(Duration.ofDays(100_000)))
                .reduce((a, b) -> b.f1 >= a.f1 ? b : a);
    }

    private static SlidingEventTimeWindows sliding(long slide) {
        return SlidingEventTimeWindows.of(Duration.ofSeconds(60), Duration.ofMillis(slide));
    }

    private static DataStream<?> filtered(Events events) {
        return events.stream()
                .filter(event -> event.f1 % 2 == 0)
                .map(event -> Tuple2.of(event.f0, event.f1 * 2))
                .returns(Types.TUPLE(Types.LONG, Types.LONG));
    }

    private static DataStream<?> interval(Events events) {
        return keyed(events)
                .intervalJoin(keyed(events))
                .between(Duration.ofSeconds(-5), Duration.ofSeconds(5))
                .process(new Functions.Sum());
    }

    private static DataStream<?> dueTimers(Events events) {
        return events.stream()
                .keyBy(event -> event.f2 % 2_000_000)
                .process(new Functions.SumWithTimers(200_000));
    }
}
