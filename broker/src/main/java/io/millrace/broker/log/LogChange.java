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

    record KeepTopic(String name, List<NewCursor> cursors) implements Step {}

    record DeleteTopic(String name) implements Step {}

    /** A cursor of a topic that is made, as its records have it; the same for all topics that are made with it. */
    @SuppressWarnings("ArrayRecordComponent")
    record NewCursor(byte[] creation, byte[] properties) {
        private static NewCursor of(String name, Map<String, String> properties) {
            LogParts.requireName(name);
            return new NewCursor(TopicCursors.creation(name, Position.BEFORE_ALL), CursorProperties.encode(properties));
        }

        private long bytes() {
            return 2 * LogBatch.STEP_HEAD_BYTES + (long) creation.length + properties.length;
        }
    }

    /** What the length in a record can say. */
    private static final int MAX_NAME_BYTES = 0xFFFF;

    private final List<Step> steps = new ArrayList<>();
    private long bytes;

    /**
     * Sets a value of the log.
     *
     * @throws IllegalArgumentException if the name has more than 65 535 bytes in UTF-8
     */
    public LogChange set(String name, byte[] value) {
        int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (nameBytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("the name of a value has " + nameBytes + " bytes, but at most "
                    + MAX_NAME_BYTES + " can be stored: " + name.substring(0, 64) + "...");
        }
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
        return keepTopics(List.of(name), cursors);
    }

    /** The same of several topics. */
    public LogChange keepTopics(List<String> names, Map<String, Map<String, String>> cursors) {
        names.forEach(LogParts::requireName);
        List<NewCursor> made = cursors.entrySet().stream()
                .map(cursor -> NewCursor.of(cursor.getKey(), cursor.getValue()))
                .toList();
        long cursorBytes = made.stream().mapToLong(NewCursor::bytes).sum();
        for (String name : names) {
            add(new KeepTopic(name, made), LogBatch.KEPT.length + LogBatch.STEP_HEAD_BYTES + cursorBytes);
        }
        return this;
    }

    /** Deletes a topic that nobody uses with all that it holds, if it is there. */
    public LogChange deleteTopic(String name) {
        return add(new DeleteTopic(name), 0);
    }

    private LogChange add(Step step, long valueBytes) {
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
    long bytes() {
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
