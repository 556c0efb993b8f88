import org.apache.flink.streaming.api.windowing.triggers.Trigger;
import org.apache.flink.streaming.api.windowing.triggers.TriggerResult;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * Fires a window of processing time at its end, and what is still open when the input ends: timers of the clock are
 * dropped then, but the watermark passes every time.
 */
final class AtEndOfWindowOrInput extends Trigger<Object, TimeWindow> {
    @Override
    public TriggerResult onElement(Object element, long timestamp, TimeWindow window, TriggerContext context) {
        context.registerProcessingTimeTimer(window.maxTimestamp());
        context.registerEventTimeTimer(window.maxTimestamp());
        return TriggerResult.CONTINUE;
    }

    @Override
    public TriggerResult onProcessingTime(long time, TimeWindow window, TriggerContext context) {
        return TriggerResult.FIRE_AND_PURGE;
    }

    @Override
    public TriggerResult onEventTime(long time, TimeWindow window, TriggerContext context) {
        return TriggerResult.FIRE_AND_PURGE;
    }

    @Override
    public void clear(TimeWindow window, TriggerContext context) {
        context.deleteProcessingTimeTimer(window.maxTimestamp());
        context.deleteEventTimeTimer(window.maxTimestamp());
    }
}
