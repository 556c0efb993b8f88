"""An exchange in front of windows: what writers make of chunks of elements, and what windows give for them."""

from itertools import pairwise

import numpy as np

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.operators.local_aggregate import WatermarkAt
from windrow.testing import OperatorHarness


class Channel:
    """A writer's side of the exchange: chunks of elements, with the watermarks between them.

    Elements are (key, value, timestamp); with ``ahead`` it is said by how much they are ahead of the watermark.
    """

    def __init__(self, stream, aggregate, number, *, ahead=False):
        self.stream, self.aggregate, self.number, self.ahead = stream, aggregate, number, ahead
        self.watermark, self.sent = -20, 0

    def chunk(self, segments, *, columns=True):
        """What crosses the exchange, segment by segment: elements, and the watermark behind them."""
        seen, elements, cuts = [WatermarkAt(0, self.watermark)], [], []
        for of_segment, growth in segments:
            base = self.watermark if self.ahead else 0
            elements += [(key, value, base + time) for key, value, time in of_segment]
            self.watermark += growth
            cuts.append(len(elements))
            seen.append(WatermarkAt(len(elements), self.watermark))
        batch = Batch((), ())
        if elements:
            self.number += len(elements)
            of_batch = self.stream.batch(elements, self.number)
            keys, values, times = self.stream.columns(*of_batch) if columns else of_batch
            batch = Batch(values, times, keys)
            combined = None if self.aggregate is None else self.aggregate.combined(batch, seen)
            if combined is not None:
                assert len(combined.batch) == len(combined.places) <= len(batch)
                batch, cuts = combined.batch, np.searchsorted(combined.places, cuts).tolist()
        self.sent += len(batch)
        parts = zip(pairwise([0, *cuts]), seen[1:], strict=True)
        return [(batch.slice(*part), behind.watermark) for part, behind in parts]


def received(operator, stream, aggregate, given_chunks, *, ahead=False, puts_off=False, columns=True):
    """The harness of windows that were given the chunks of channels, which come in turns; how many elements crossed."""
    harness = OperatorHarness(operator)
    count = len(given_chunks[0][0])
    channels = [Channel(stream, aggregate(), 1000 * number, ahead=ahead) for number in range(count)]
    reached, watermark = [-20] * count, MIN_WATERMARK
    for given_chunk in given_chunks:
        of_channels = [
            channel.chunk(of, columns=columns)
            for channel, of in zip(channels, zip(*given_chunk, strict=True), strict=True)
        ]
        for segments in zip(*of_channels, strict=True):
            for number, (batch, control) in enumerate(segments):
                if len(batch):
                    operator.process_batch(batch)
                reached[number] = control
                if min(reached) > watermark:
                    watermark = harness._context.time.watermark = min(reached)
                    if not puts_off or not operator.puts_off(watermark):
                        harness.process_watermark(watermark)
    harness.process_watermark(MAX_WATERMARK)
    return harness, sum(channel.sent for channel in channels)
