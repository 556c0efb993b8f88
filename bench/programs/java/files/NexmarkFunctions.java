import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.CoGroupFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** The user functions of Nexmark's queries, as in bench/nexmark/functions.py. */
final class NexmarkFunctions {
    /** Auction, bidder, price and time. */
    static final TypeInformation<Tuple4<Long, Long, Long, Long>> BID =
            Types.TUPLE(Types.LONG, Types.LONG, Types.LONG, Types.LONG);
    /** The highest price, and all bids with it. */
    static final TypeInformation<Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>>> TOP =
            Types.TUPLE(Types.LONG, Types.LIST(BID));
    /** The same with the end of its window. */
    static final TypeInformation<Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>>> TOP_OF_WINDOW =
            Types.TUPLE(Types.LONG, Types.LONG, Types.LIST(BID));

    private NexmarkFunctions() {}

    static final class Count implements AggregateFunction<NexmarkJobs.Event, Long, Long> {
        @Override
        public Long createAccumulator() {
            return 0L;
        }

        @Override
        public Long add(NexmarkJobs.Event event, Long count) {
            return count + 1;
        }

        @Override
        public Long getResult(Long count) {
            return count;
        }

        @Override
        public Long merge(Long a, Long b) {
            return a + b;
        }
    }

    /** A count with its key and the end of its window. */
    static final class CountOfWindow
            extends ProcessWindowFunction<Long, Tuple3<Long, Long, Long>, Long, TimeWindow> {
        @Override
        public void process(
                Long key, Context context, Iterable<Long> counts, Collector<Tuple3<Long, Long, Long>> out) {
            for (Long count : counts) {
                out.collect(Tuple3.of(key, count, context.window().getEnd()));
            }
        }
    }

    /** The largest counts of a window, all of them if they tie. */
    static final class Hottest
            extends ProcessWindowFunction<Tuple3<Long, Long, Long>, Tuple3<Long, Long, Long>, Long, TimeWindow> {
        @Override
        public void process(
                Long key,
                Context context,
                Iterable<Tuple3<Long, Long, Long>> counts,
                Collector<Tuple3<Long, Long, Long>> out) {
            long most = 0;
            for (Tuple3<Long, Long, Long> count : counts) {
                most = Math.max(most, count.f1);
            }
            for (Tuple3<Long, Long, Long> count : counts) {
                if (count.f1 == most) {
                    out.collect(count);
                }
            }
        }
    }

    static final class TopBids
            implements AggregateFunction<
                    NexmarkJobs.Event,
                    Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>>,
                    Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>>> {
        @Override
        public Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> createAccumulator() {
            return Tuple2.of(-1L, new ArrayList<>());
        }

        @Override
        public Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> add(
                NexmarkJobs.Event bid, Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> top) {
            if (bid.price < top.f0) {
                return top;
            }
            if (bid.price > top.f0) {
                top.f0 = bid.price;
                top.f1.clear();
            }
            top.f1.add(Tuple4.of(bid.auction, bid.person, bid.price, bid.timestamp));
            return top;
        }

        @Override
        public Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> getResult(
                Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> top) {
            return top;
        }

        @Override
        public Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> merge(
                Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> a,
                Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> b) {
            if (a.f0.equals(b.f0)) {
                a.f1.addAll(b.f1);
                return a;
            }
            return a.f0 > b.f0 ? a : b;
        }
    }

    /** The highest bids of an auction with the end of their window. */
    static final class TopOfWindow
            extends ProcessWindowFunction<
                    Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>>,
                    Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>>,
                    Long,
                    TimeWindow> {
        @Override
        public void process(
                Long key,
                Context context,
                Iterable<Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>>> tops,
                Collector<Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>>> out) {
            for (Tuple2<Long, List<Tuple4<Long, Long, Long, Long>>> top : tops) {
                out.collect(Tuple3.of(context.window().getEnd(), top.f0, top.f1));
            }
        }
    }

    /** The one with the higher price; the bids of both if they tie. */
    static Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>> higher(
            Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>> a,
            Tuple3<Long, Long, List<Tuple4<Long, Long, Long, Long>>> b) {
        if (a.f1.equals(b.f1)) {
            List<Tuple4<Long, Long, Long, Long>> both = new ArrayList<>(a.f2);
            both.addAll(b.f2);
            return Tuple3.of(a.f0, a.f1, both);
        }
        return a.f1 > b.f1 ? a : b;
    }

    /** A person of a window who has an auction in it. */
    static final class NewSeller
            implements CoGroupFunction<NexmarkJobs.Event, NexmarkJobs.Event, Tuple3<Long, Long, String>> {
        @Override
        public void coGroup(
                Iterable<NexmarkJobs.Event> people,
                Iterable<NexmarkJobs.Event> auctions,
                Collector<Tuple3<Long, Long, String>> out) {
            if (auctions.iterator().hasNext()) {
                for (NexmarkJobs.Event person : people) {
                    out.collect(Tuple3.of(person.person, person.timestamp / 10_000 * 10_000, person.name));
                }
            }
        }
    }
}
