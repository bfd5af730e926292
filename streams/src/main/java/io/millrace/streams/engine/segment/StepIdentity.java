package io.millrace.streams.engine.segment;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether steps do the same, which are constant: they are of the same classes, and made of the same numbers, texts, and functions that have captured nothing. What an
 * object of the user's says of its equality is not asked.
 */
final class StepIdentity {
    private static final MethodHandle[] NO_RECORD = {};
    private static final MethodType READER = MethodType.methodType(Object.class, Object.class);

    /** How the parts of a record of the library's are read; kept with its class, for as long as that is loaded. */
    private static final ClassValue<MethodHandle[]> READERS = new ClassValue<>() {
        @Override
        protected MethodHandle[] computeValue(Class<?> type) {
            return type.isRecord() ? readersOf(type) : NO_RECORD;
        }
    };

    /**
     * Whether objects of a class may differ: all but lambdas that have captured nothing. Arrays and plain objects have no fields
     * either, but elements of them, or an identity that somebody compares.
     */
    private static final ClassValue<Boolean> HAS_CAPTURED = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            if (!type.isHidden()) {
                return true;
            }
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        return true;
                    }
                }
            }
            return false;
        }
    };

    private StepIdentity() {}

    private static MethodHandle[] readersOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        MethodHandle[] readers = new MethodHandle[components.length];
        try {
            for (int i = 0; i < readers.length; i++) {
                Method accessor = components[i].getAccessor();
                accessor.setAccessible(true);
                readers[i] = MethodHandles.lookup().unreflect(accessor).asType(READER);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(type + " is a step whose parts cannot be read", e);
        }
        return readers;
    }

    static boolean areSame(Step<?>[] some, Step<?>[] others) {
        boolean same = some.length == others.length;
        for (int i = 0; same && i < some.length; i++) {
            same = isSame(some[i], others[i]);
        }
        return same;
    }

    /** Whether there is nothing in it but values and functions that have captured nothing: it is then the same each time that its place in the program is reached. */
    static boolean isConstant(@Nullable Object part) {
        if (!(part instanceof StepPart)) {
            return part == null || isValue(part) || !HAS_CAPTURED.get(part.getClass());
        }
        MethodHandle[] readers = READERS.get(part.getClass());
        if (readers.length == 1 && part instanceof FunctionStep<?> step) {
            return isConstant(step.function());
        }
        boolean constant = readers != NO_RECORD;
        for (int i = 0; constant && i < readers.length; i++) {
            constant = isConstant(read(readers[i], part));
        }
        return constant;
    }

    /** The function of a step that is nothing else, or null. */
    static @Nullable Object onlyFunction(Object part) {
        return part instanceof FunctionStep<?> step && READERS.get(part.getClass()).length == 1
                ? step.function()
                : null;
    }

    static boolean isSame(@Nullable Object one, @Nullable Object other) {
        if (one == other) {
            return true;
        }
        if (one == null || other == null || one.getClass() != other.getClass()) {
            return false;
        }
        if (!(one instanceof StepPart)) {
            return isValue(one) ? one.equals(other) : !HAS_CAPTURED.get(one.getClass());
        }
        MethodHandle[] readers = READERS.get(one.getClass());
        if (readers.length == 1 && one instanceof FunctionStep<?> step) {
            return isSame(step.function(), ((FunctionStep<?>) other).function());
        }
        boolean same = readers != NO_RECORD;
        for (int i = 0; same && i < readers.length; i++) {
            same = isSame(read(readers[i], one), read(readers[i], other));
        }
        return same;
    }

    /** Whether an object of the platform's is nothing but its value. */
    private static boolean isValue(Object part) {
        return part instanceof Integer
                || part instanceof Long
                || part instanceof Double
                || part instanceof Boolean
                || part instanceof Character
                || part instanceof String
                || part instanceof Duration
                || part instanceof Enum;
    }

    private static @Nullable Object read(MethodHandle reader, Object record) {
        try {
            return (Object) reader.invokeExact(record);
        } catch (Throwable t) {
            throw new IllegalStateException("a part of " + record.getClass() + " cannot be read", t);
        }
    }
}
