import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.CoGroupFunction;
import org.apache.flink.api.common.functions.FilterFunction;
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

    /** The same of a count that is summed from ones. */
    static final class SumOfWindow
            extends ProcessWindowFunction<Tuple2<Long, Long>, Tuple3<Long, Long, Long>, Long, TimeWindow> {
        @Override
        public void process(
                Long key,
                Context context,
                Iterable<Tuple2<Long, Long>> sums,
                Collector<Tuple3<Long, Long, Long>> out) {
            for (Tuple2<Long, Long> sum : sums) {
                out.collect(Tuple3.of(key, sum.f1, context.window().getEnd()));
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

    /**
     * Lets a bid through unless a higher one of its window has come by before: others do not cross the exchange. What it
     * has seen is no state: after a failure it lets more through.
     */
    static final class HighestSoFar implements FilterFunction<NexmarkJobs.Event> {
        private static final long NO_WINDOW = Long.MIN_VALUE;
        private long window = NO_WINDOW;
        private long highest;

        @Override
        public boolean filter(NexmarkJobs.Event bid) {
            if (bid.timestamp / 10_000 != window) {
                window = bid.timestamp / 10_000;
                highest = bid.price;
                return true;
            }
            if (bid.price < highest) {
                return false;
            }
            highest = bid.price;
            return true;
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
