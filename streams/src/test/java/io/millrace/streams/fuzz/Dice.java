package io.millrace.streams.fuzz;

import io.millrace.streams.graph.Supervision.Directive;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws what a graph is made of. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    int from(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    boolean oneIn(int chances) {
        return random.nextInt(chances) == 0;
    }

    <T> T of(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Change change() {
        return of(List.of(Change.values()));
    }

    /** A fault that is none in most cases. */
    Fault fault() {
        return oneIn(3) ? new Fault(of(List.of(Fault.Kind.values())), below(11)) : Fault.NONE;
    }

    /** A fault of a function that must not give null. */
    Fault thrown() {
        Fault drawn = fault();
        return drawn.kind() == Fault.Kind.NULL ? Fault.NONE : drawn;
    }

    /** What fails, in some cases, on this one. */
    Fault faultOn(Object element) {
        return oneIn(4) ? new Fault(of(Fault.THROWN), Fault.hash(element, 11)) : Fault.NONE;
    }

    Directive directive() {
        return of(List.of(Directive.STOP, Directive.STOP, Directive.RESUME, Directive.RESTART));
    }

    Object element() {
        return switch (random.nextInt(10)) {
            case 0 -> 1_000_000 + random.nextInt(100);
            case 1 -> random.nextLong(20);
            case 2 -> Long.MIN_VALUE + random.nextInt(5);
            case 3 -> of(List.of(Double.NaN, -0.0, 0.0, 1.5, Double.MIN_VALUE));
            case 4 -> of(List.of("a", "", "bc", "Long text"));
            case 5 -> of(List.of('c', (short) 7, (byte) 1, 2.5f, true));
            default -> random.nextInt(20);
        };
    }

    List<Object> elements() {
        int size = oneIn(8) ? random.nextInt(600) : random.nextInt(16);
        boolean isOfOneKind = random.nextBoolean();
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            elements.add(isOfOneKind ? (Object) random.nextInt(3000) : element());
        }
        return elements;
    }
}
