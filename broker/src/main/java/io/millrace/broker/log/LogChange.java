package io.millrace.broker.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Changes of the log's values and topics that are made together: all of them are durable, or none is. For one thread. */
public final class LogChange {
    /** One of the changes. */
    sealed interface Step {
        String name();
    }

    @SuppressWarnings("ArrayRecordComponent")
    record SetValue(String name, byte[] value) implements Step {}

    record RemoveValue(String name) implements Step {}

    record KeepTopic(String name, Map<String, Map<String, String>> cursors) implements Step {}

    record DeleteTopic(String name) implements Step {}

    private final List<Step> steps = new ArrayList<>();
    private int bytes;

    /** Sets a value of the log. */
    public LogChange set(String name, byte[] value) {
        return add(new SetValue(name, value), value.length);
    }

    /** Removes a value of the log, if it is there. */
    public LogChange remove(String name) {
        return add(new RemoveValue(name), 0);
    }

    /** Makes a topic unless there is one of that name; it is kept though it holds nothing. */
    public LogChange keepTopic(String name) {
        return keepTopic(name, Map.of());
    }

    /** The same; one that is made has these cursors, with their properties, from the beginning, before its first entry. */
    public LogChange keepTopic(String name, Map<String, Map<String, String>> cursors) {
        LogParts.requireName(name);
        int cursorBytes = 0;
        for (Map.Entry<String, Map<String, String>> cursor : cursors.entrySet()) {
            LogParts.requireName(cursor.getKey());
            cursorBytes += 2 * LogBatch.STEP_HEAD_BYTES
                    + TopicCursors.creation(cursor.getKey(), Position.BEFORE_ALL).length
                    + CursorProperties.encode(cursor.getValue()).length;
        }
        return add(
                new KeepTopic(name, Map.copyOf(cursors)),
                LogBatch.KEPT.length + LogBatch.STEP_HEAD_BYTES + cursorBytes);
    }

    /** Deletes a topic that nobody uses with all that it holds, if it is there. */
    public LogChange deleteTopic(String name) {
        return add(new DeleteTopic(name), 0);
    }

    private LogChange add(Step step, int valueBytes) {
        steps.add(step);
        bytes += LogBatch.STEP_HEAD_BYTES
                + Short.BYTES
                + step.name().getBytes(StandardCharsets.UTF_8).length
                + valueBytes;
        return this;
    }

    List<Step> steps() {
        return steps;
    }

    /** The bytes of its record at most. */
    int bytes() {
        return bytes;
    }

    /** Whether it adds anything, which a full disk does not take. */
    boolean adds() {
        return steps.stream().anyMatch(step -> step instanceof SetValue || step instanceof KeepTopic);
    }

    /** Whether it makes topics. */
    boolean makesTopics() {
        return steps.stream().anyMatch(step -> step instanceof KeepTopic);
    }
}
