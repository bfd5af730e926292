package io.millrace.broker.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Changes of cursors, of several topics, that are made together: all of them are durable, or none is. Topics are open; who uses
 * a cursor hears nothing of it, and is to be told. For one thread.
 */
public final class CursorChange {
    /** One of the changes. */
    sealed interface Step {
        TopicLog topic();

        String name();
    }

    record Create(TopicLog topic, String name, Position markDelete, Map<String, String> properties) implements Step {}

    record Delete(TopicLog topic, String name) implements Step {}

    record Move(TopicLog topic, String name, CursorDelta delta) implements Step {}

    record Describe(TopicLog topic, String name, Map<String, String> properties) implements Step {}

    private static final int DELTA_BYTES = 1 + 2 * Long.BYTES;

    private final List<Step> steps = new ArrayList<>();
    private long bytes;

    /** Makes a cursor with these properties that begins after that position, unless there is one of that name. */
    public CursorChange create(TopicLog topic, String name, Position markDelete, Map<String, String> properties) {
        LogParts.requireName(name);
        int body = 2 * Long.BYTES + name.getBytes(StandardCharsets.UTF_8).length;
        int texts = CursorProperties.encode(properties).length;
        return add(
                new Create(topic, name, markDelete, properties),
                texts == 0 ? body : body + LogBatch.STEP_HEAD_BYTES + texts);
    }

    /** Deletes a cursor, if it is there. */
    public CursorChange delete(TopicLog topic, String name) {
        return add(new Delete(topic, name), 0);
    }

    /** Acknowledges everything up to and with that position, if the cursor is there. */
    public CursorChange pass(TopicLog topic, String name, Position last) {
        return add(new Move(topic, name, new CursorDelta.AckUpTo(last)), DELTA_BYTES);
    }

    /** Has a cursor start again after that position, if it is there. */
    public CursorChange reset(TopicLog topic, String name, Position markDelete) {
        return add(new Move(topic, name, new CursorDelta.Reset(markDelete)), DELTA_BYTES);
    }

    /** Replaces the properties of a cursor, if it is there. */
    public CursorChange setProperties(TopicLog topic, String name, Map<String, String> properties) {
        return add(new Describe(topic, name, properties), CursorProperties.encode(properties).length);
    }

    private CursorChange add(Step step, int bodyBytes) {
        steps.add(step);
        bytes += LogBatch.STEP_HEAD_BYTES + bodyBytes;
        return this;
    }

    /** How many changes it has. */
    public int size() {
        return steps.size();
    }

    List<Step> steps() {
        return steps;
    }

    /** The bytes of its record at most. */
    long bytes() {
        return bytes;
    }
}
