"""Pictures of windows and joins, from a trace of what happened."""

from windrow.viz.drawing.picture import Picture
from windrow.viz.job import observe, trace, trace_job
from windrow.viz.recording.recording import Recording
from windrow.viz.trace import Trace

__all__ = ["Picture", "Recording", "Trace", "observe", "trace", "trace_job"]
