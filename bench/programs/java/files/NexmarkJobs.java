import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;
import org.apache.flink.table.data.RowData;

/** Nexmark's queries, as in bench/nexmark/queries.py. */
final class NexmarkJobs {
    private static final long PERSON = 0;
    private static final long AUCTION = 1;
    private static final long BID = 2;

    static final Map<String, Function<Events, DataStream<?>>> TABLE =
            Map.ofEntries(
                    Map.entry("nexmark-q5", NexmarkJobs::hotItems),
                    Map.entry("nexmark-q7", NexmarkJobs::highestBids),
                    Map.entry("nexmark-q8", NexmarkJobs::newUsers),
                    Map.entry("nexmark-q11", NexmarkJobs::userSessions),
                    Map.entry("nexmark-q12", NexmarkJobs::bidsByClock));

    /** A person, an auction or a bid: bench/nexmark/generator.py says what each has. */
    public static final class Event {
        public long kind;
        public long auction;
        public long person;
        public long price;
        public long timestamp;
        public String name;
    }

    private NexmarkJobs() {}

    private static DataStream<Event> events(Events events) {
        WatermarkStrategy<RowData> watermarks =
                WatermarkStrategy.<RowData>forBoundedOutOfOrderness(Duration.ofSeconds(4))
                        .withTimestampAssigner((row, previous) -> row.getLong(4));
        return events.env
                .fromSource(
                        Parquet.source(events, 5, "kind", "auction", "person", "price", "timestamp", "name"),
                        watermarks,
                        "nexmark")
                .map(NexmarkJobs::event)
                .returns(Types.POJO(Event.class));
    }

    private static Event event(RowData row) {
        Event event = new Event();
        event.kind = row.getLong(0);
        event.auction = row.getLong(1);
        event.person = row.getLong(2);
        event.price = row.getLong(3);
        event.timestamp = row.getLong(4);
        event.name = row.getString(5).toString();
        return event;
    }

    private static DataStream<Event> bids(Events events) {
        return events(events).filter(event -> event.kind == BID);
    }

    private static DataStream<?> hotItems(Events events) {
        DataStream<Tuple3<Long, Long, Long>> counts =
                bids(events)
                        .keyBy(bid -> bid.auction)
                        .window(SlidingEventTimeWindows.of(Duration.ofSeconds(10), Duration.ofSeconds(2)))
                        .aggregate(new NexmarkFunctions.Count(), new NexmarkFunctions.CountOfWindow());
        return counts.keyBy(count -> count.f2)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(2)))
                .process(new NexmarkFunctions.Hottest());
    }

    private static DataStream<?> highestBids(Events events) {
        return bids(events)
                .filter(new NexmarkFunctions.HighestSoFar())
                .keyBy(bid -> bid.timestamp / 10_000)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(10)))
                .aggregate(new NexmarkFunctions.TopBids(), NexmarkFunctions.TOP, NexmarkFunctions.TOP)
                .<Tuple4<Long, Long, Long, Long>>flatMap((top, out) -> top.f1.forEach(out::collect))
                .returns(NexmarkFunctions.BID);
    }

    private static DataStream<?> newUsers(Events events) {
        DataStream<Event> all = events(events);
        return all.filter(event -> event.kind == PERSON)
                .coGroup(all.filter(event -> event.kind == AUCTION))
                .where(event -> event.person)
                .equalTo(event -> event.person)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(10)))
                .apply(new NexmarkFunctions.NewSeller());
    }

    private static DataStream<?> userSessions(Events events) {
        return bids(events)
                .keyBy(bid -> bid.person)
                .window(EventTimeSessionWindows.withGap(Duration.ofSeconds(10)))
                .aggregate(new NexmarkFunctions.Count(), new NexmarkFunctions.CountOfWindow());
    }

    private static DataStream<?> bidsByClock(Events events) {
        return bids(events)
                .map(bid -> Tuple2.of(bid.person, 1L))
                .returns(Types.TUPLE(Types.LONG, Types.LONG))
                .keyBy(one -> one.f0)
                .window(TumblingProcessingTimeWindows.of(Duration.ofSeconds(10)))
                .trigger(new AtEndOfWindowOrInput())
                .reduce((a, b) -> Tuple2.of(a.f0, a.f1 + b.f1), new NexmarkFunctions.SumOfWindow());
    }
}
