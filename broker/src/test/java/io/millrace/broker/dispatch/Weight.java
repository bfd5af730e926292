package io.millrace.broker.dispatch;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/** What an object takes in memory with all that it leads to in its own package: 16 bytes an object or array, 8 a field or element, 4 an int of an array. */
final class Weight {
    private static final int HEADER_BYTES = 16;
    private static final int WORD_BYTES = 8;

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final Package own;
    private long bytes;

    private Weight(Package own) {
        this.own = own;
    }

    /** Counted, not measured: whatever else the heap holds makes no difference. */
    static long bytes(Object root) {
        Weight weight = new Weight(root.getClass().getPackage());
        weight.visit(root);
        while (!weight.open.isEmpty()) {
            weight.weigh(weight.open.pop());
        }
        return weight.bytes;
    }

    private void visit(Object object) {
        if (object != null && isOwn(object.getClass()) && seen.add(object)) {
            open.push(object);
        }
    }

    private boolean isOwn(Class<?> type) {
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        return element.isPrimitive() || (element.getPackage() == own && !element.isHidden());
    }

    private void weigh(Object object) {
        bytes += HEADER_BYTES;
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            bytes += (long) length * (type.getComponentType() == int.class ? Integer.BYTES : WORD_BYTES);
            for (int i = 0; i < length && !type.getComponentType().isPrimitive(); i++) {
                visit(Array.get(object, i));
            }
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                bytes += WORD_BYTES;
                visit(value(field, object));
            }
        }
    }

    private static Object value(Field field, Object object) {
        if (field.getType().isPrimitive()) {
            return null;
        }
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
