"""A harness for operators on two streams."""

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import Batch
from windrow.testing import OperatorHarness


class TwoInputHarness(OperatorHarness):
    """The harness of one input, with two of them; a key selector of None is an input without keys."""

    def __init__(self, operator, key1=None, key2=None, **settings):
        super().__init__(operator, **settings)
        self.key1, self.key2 = key1, key2

    def process_element1(self, value, timestamp=NO_TIMESTAMP):
        self._operator.process_batch1(Batch([value], [timestamp], self.key1 and [self.key1(value)]))

    def process_element2(self, value, timestamp=NO_TIMESTAMP):
        self._operator.process_batch2(Batch([value], [timestamp], self.key2 and [self.key2(value)]))
