package io.millrace.streams.operator;

import io.millrace.streams.engine.segment.Step;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a run has accumulated so far, if anything: an object, or a number without its box, which need not be made for each element then. */
public final class Accumulated {
    private static final int OBJECT = 0;
    private static final int INT = 1;
    private static final int LONG = 2;
    private static final int DOUBLE = 3;

    private int kind = OBJECT;
    private long number;
    private @Nullable Object object;

    public Accumulated(@Nullable Object zero) {
        if (zero != null) {
            unbox(zero);
        }
    }

    public static Accumulated of(@Nullable Object[] states, int at) {
        return (Accumulated) Step.state(states, at);
    }

    public static Accumulated of(@Nullable Object state) {
        return (Accumulated) Objects.requireNonNull(state, "state");
    }

    /** It as an object; null before there is anything. */
    @Nullable
    public Object get() {
        return kind == OBJECT ? object : boxed();
    }

    private Object boxed() {
        if (isInt()) {
            return asInt();
        }
        if (isLong()) {
            return asLong();
        }
        return asDouble();
    }

    /** Keeps this as the object that it is. */
    public void keep(Object now) {
        if (kind != OBJECT) {
            kind = OBJECT;
        }
        object = now;
    }

    /** Keeps this, without its box if it is a number. */
    public void unbox(Object now) {
        if (now instanceof Integer boxed) {
            keepInt(boxed);
        } else if (now instanceof Long boxed) {
            keepLong(boxed);
        } else if (now instanceof Double boxed) {
            keepDouble(boxed);
        } else {
            keep(now);
        }
    }

    public void keepInt(int now) {
        keep(INT, now);
    }

    public void keepLong(long now) {
        keep(LONG, now);
    }

    public void keepDouble(double now) {
        keep(DOUBLE, Double.doubleToRawLongBits(now));
    }

    private void keep(int now, long bits) {
        number = bits;
        if (kind != now) {
            kind = now;
            object = null;
        }
    }

    public boolean isInt() {
        return kind == INT;
    }

    public boolean isLong() {
        return kind == LONG;
    }

    public boolean isDouble() {
        return kind == DOUBLE;
    }

    public int asInt() {
        return (int) number;
    }

    public long asLong() {
        return number;
    }

    public double asDouble() {
        return Double.longBitsToDouble(number);
    }
}
