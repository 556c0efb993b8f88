"""A spec as a program."""

from tests.differential.buffered import Buffered
from tests.differential.elements import element, texts, total
from tests.differential.keyed_functions import Keyed
from tests.differential.window_functions import Applied, AppliedToAll, Joined, Processed, ProcessedAll, Sum
from tests.differential.window_parts import assigner_of, evictor_of, trigger_of
from windrow.common import Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import OutputTag, ProcessFunction
from windrow.datastream.functions import CoGroupFunction, ProcessJoinFunction


class Behind(WatermarkGenerator):
    """A watermark with every element whose value is divisible."""

    def __init__(self, bound, mod):
        self.bound, self.mod, self.newest = bound, mod, -(2**63)

    def on_event(self, event, event_timestamp, output):
        self.newest = max(self.newest, event_timestamp)
        if event[2] % self.mod == 0:
            output.emit_watermark(Watermark(self.newest - self.bound - 1))

    def on_periodic_emit(self, output):
        """Elements decide."""


class Recorder(ProcessFunction):
    """Puts the seed, the output's name and the timestamp in front."""

    def __init__(self, seed, output):
        self.seed, self.output = seed, output

    def process_element(self, value, ctx):
        yield (self.seed, self.output, ctx.timestamp(), *([None] * 4 if value is None else value))


class Pair(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        times = f"{ctx.get_left_timestamp()},{ctx.get_right_timestamp()}"
        yield element(left[0], ctx.get_timestamp(), left[2] * 100 + right[2], f"{left[3]}&{right[3]}@{times}")


class Both(CoGroupFunction):
    def __init__(self, *, in_order):
        self.in_order = in_order

    def co_group(self, first, second):
        one, two = list(first), list(second)
        shown = f"{texts(one, in_order=self.in_order)}&{texts(two, in_order=self.in_order)}"
        yield element((two or one)[-1][0], len(one), total(one) * 100 + total(two), shown)


def job(env, spec):
    """The stream of all that the spec's job gives; the environment has parallelism 1."""
    bound, mod = spec["bound"], spec.get("wm_mod", 1)
    times = WatermarkStrategy.for_generator(lambda: Behind(bound, mod))
    times = times.with_timestamp_assigner(lambda value, _: value[1])
    inputs = [list(map(tuple, values)) for values in spec["in"]]
    streams = [env.from_collection(values).assign_timestamps_and_watermarks(times) for values in inputs]
    first = _stage(streams, spec["stage"], "1.", "same")
    outputs = _outputs(first, spec["seed"], spec["stage"], "1.")
    if spec["second"]:
        second = spec["second"]
        outputs += _outputs(_stage([first], second, "2.", second["rekey"]), spec["seed"], second, "2.")
    return outputs[0].union(*outputs[1:]) if len(outputs) > 1 else outputs[0]


def _outputs(stream, seed, spec, prefix):
    late = [
        name
        for name, tag in (("late", "late_tag"), ("late-left", "left_tag"), ("late-right", "right_tag"))
        if spec.get(tag)
    ]
    side = ["side"] if "side" in spec or spec["op"] in ("keyed_process", "co_buffer") else []
    main = stream.process(Recorder(seed, prefix + "main"))
    tags = [prefix + name for name in (*late, *side)]
    return [main, *(stream.get_side_output(OutputTag(tag)).process(Recorder(seed, tag)) for tag in tags)]


def _stage(streams, spec, prefix, rekey):
    one, two, by = streams[0], streams[-1], _KEYS[rekey]
    match spec["op"]:
        case "window" | "count":
            return _windowed(one if spec.get("all") else _keyed(one, by), spec, prefix)
        case "union":
            return _windowed(_keyed(one.union(two), by), spec, prefix)
        case "rolling":
            return _rolling(_keyed(one, by), spec)
        case "keyed_process":
            return _keyed(one, by).process(Keyed(spec, prefix))
        case "co_buffer":
            return one.connect(two).key_by(by, by, key_type=Types.STRING()).process(Buffered(spec, prefix))
        case "interval_join":
            return _interval_join(_keyed(one, by), _keyed(two, by), spec, prefix)
    return _joined(one, two, by, spec)


_KEYS = {"same": lambda value: value[0], "one": lambda value: "x", "parity": lambda value: f"p{value[2] % 2}"}


def _keyed(stream, by):
    return stream.key_by(by, key_type=Types.STRING())


def _rolling(keyed, spec):
    name = spec["func"]
    if name == "reduce":
        return keyed.reduce(Sum())
    return getattr(keyed, name)(2, spec["first"]) if name.endswith("by") else getattr(keyed, name)(2)


def _interval_join(one, two, spec, prefix):
    join = one.interval_join(two).between(spec["lower"], spec["upper"])
    if spec["lower_exclusive"]:
        join = join.lower_bound_exclusive()
    if spec["upper_exclusive"]:
        join = join.upper_bound_exclusive()
    if spec["left_tag"]:
        join = join.side_output_left_late_data(OutputTag(prefix + "late-left"))
    if spec["right_tag"]:
        join = join.side_output_right_late_data(OutputTag(prefix + "late-right"))
    return join.process(Pair())


def _joined(one, two, by, spec):
    both = one.join(two) if spec["op"] == "window_join" else one.co_group(two)
    windows = both.where(by).equal_to(by).window(assigner_of(spec["assigner"]))
    if spec["evictor"]:
        windows = windows.evictor(evictor_of(spec["evictor"]))
    if spec["lateness"]:
        windows = windows.allowed_lateness(spec["lateness"])
    if spec["op"] == "co_group":
        return windows.apply(Both(in_order=not spec["sorted"]))
    return windows.apply(lambda a, b: element(a[0], a[1], a[2] * 100 + b[2], f"{a[3]}&{b[3]}"))


def _windowed(stream, spec, prefix):
    over_all = spec.get("all", False)
    if spec["op"] == "count":
        windows = (stream.count_window_all if over_all else stream.count_window)(spec["size"], spec["slide"])
    else:
        windows = (stream.window_all if over_all else stream.window)(assigner_of(spec["assigner"]))
        if spec["trigger"]:
            windows = windows.trigger(trigger_of(spec["trigger"]))
        if spec["evictor"]:
            windows = windows.evictor(evictor_of(spec["evictor"]))
        if spec["lateness"]:
            windows = windows.allowed_lateness(spec["lateness"])
        if spec["late_tag"]:
            windows = windows.side_output_late_data(OutputTag(prefix + "late"))
    return _with_function(windows, spec, prefix, over_all=over_all)


def _with_function(windows, spec, prefix, *, over_all):
    name, in_order = spec["func"], not spec.get("sorted", False)
    if name in ("sum", "min", "max"):
        return getattr(windows, name)(2)
    if name in ("min_by", "max_by"):
        return getattr(windows, name)(2, spec["first"])
    how, _, then = name.partition("_")
    functions = {
        "": lambda: None,
        "apply": lambda: (AppliedToAll if over_all else Applied)(in_order=in_order),
        "process": lambda: (ProcessedAll if over_all else Processed)(spec, prefix),
    }
    if how in ("apply", "process"):
        return getattr(windows, how)(functions[how]())
    combined = Sum(in_order=in_order) if how == "reduce" else Joined(in_order=in_order)
    return getattr(windows, how)(combined, functions[then]())
