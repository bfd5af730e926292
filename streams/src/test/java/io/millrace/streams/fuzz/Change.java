package io.millrace.streams.fuzz;

import java.util.List;

/** Functions from elements to elements of other kinds. */
enum Change {
    SAME {
        @Override
        Object of(Object x) {
            return x;
        }
    },
    TWICE {
        @Override
        Object of(Object x) {
            return x instanceof Integer i ? (Object) (i * 2) : x instanceof Long l ? (Object) (l * 2) : x;
        }
    },
    WIDER {
        @Override
        Object of(Object x) {
            return x instanceof Integer i ? (Object) i.longValue() : x instanceof Long l ? (Object) l.doubleValue() : x;
        }
    },
    NEGATIVE {
        @Override
        Object of(Object x) {
            return x instanceof Double d ? (Object) (-d) : x instanceof Integer i ? (Object) (-i) : x;
        }
    },
    TEXT {
        @Override
        Object of(Object x) {
            String text = String.valueOf(x);
            return text.length() > 20 ? text.substring(0, 20) : text;
        }
    },
    SMALL {
        @Override
        Object of(Object x) {
            return Fault.hash(x, 100);
        }
    },
    LARGE {
        @Override
        Object of(Object x) {
            return 1_000_000 + Fault.hash(x, 1000);
        }
    };

    abstract Object of(Object x);

    /** None to two elements. */
    static List<Object> some(Object x) {
        return switch (Fault.hash(x, 4)) {
            case 0 -> List.of();
            case 1 -> List.of(x, -0.0);
            case 2 -> List.of(SMALL.of(x), x);
            default -> List.of(x);
        };
    }

    /** One element of two. */
    static Object both(Object a, Object b) {
        return a instanceof Integer x && b instanceof Integer y ? (Object) (x + y) : Fault.hash(a + "|" + b, 1 << 20);
    }
}
