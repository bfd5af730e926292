package io.millrace.streams.engine;

import io.millrace.streams.Flow;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A tree, drawn at random, of operators that put sources one after the other or in turn, and the same made of lists. */
final class RandomSuccession {
    private static final Comparator<Integer> BY_TENS = Comparator.comparing(n -> n / 10);

    private final SplittableRandom random;
    private final boolean mayFail;
    private final boolean inTurn;
    private int leafCount;

    /** Without operators that emit in turn, what comes before a failure is known exactly. */
    RandomSuccession(long seed, boolean mayFail, boolean inTurn) {
        random = new SplittableRandom(seed);
        this.mayFail = mayFail;
        this.inTurn = inTurn;
    }

    /** What a leaf fails with. */
    static final class Planned extends Exception {
        private static final long serialVersionUID = 1L;

        Planned() {
            super("planned", null, true, false);
        }
    }

    /** A source, what it emits, and what it fails with then. */
    record Drawn(
            Source<Integer, ?> source,
            List<Integer> elements,
            @Nullable Planned failure,
            String text) {}

    Drawn draw(int depth) {
        Drawn drawn = depth == 0 || random.nextInt(12) == 0 ? leaf() : join(depth);
        return switch (random.nextInt(16)) {
            case 0 -> with(drawn, drawn.source().map(n -> n), "map");
            case 1 -> with(drawn, drawn.source().async(), "async");
            case 2 -> with(drawn, drawn.source().named("named"), "named");
            case 3 -> with(drawn, Source.lazy(() -> plain(drawn.source())), "lazy");
            default -> drawn;
        };
    }

    private static Drawn with(Drawn drawn, Source<Integer, ?> source, String text) {
        return new Drawn(source, drawn.elements(), drawn.failure(), drawn.text() + "." + text);
    }

    private static Graph<SourceShape<Integer>, NotUsed> plain(Source<Integer, ?> source) {
        return source.mapMaterializedValue(value -> NotUsed.NOT_USED);
    }

    private Drawn leaf() {
        leafCount++;
        List<Integer> elements = new ArrayList<>();
        int tens = 0;
        for (int size = random.nextInt(4); size > 0; size--) {
            tens += random.nextInt(3);
            elements.add(tens * 10 + leafCount % 10);
        }
        if (!mayFail || random.nextInt(8) > 0) {
            return new Drawn(Source.from(elements), elements, null, elements.toString());
        }
        Planned failure = new Planned();
        return new Drawn(Source.from(elements).concat(Source.failed(failure)), elements, failure, elements + "!");
    }

    private Drawn join(int depth) {
        Drawn one = draw(depth - 1);
        Drawn other = draw(depth - 1);
        boolean asFlow = random.nextInt(3) == 0;
        Flow<Integer, Integer, NotUsed> flow = Flow.create();
        return switch (random.nextInt(inTurn ? 9 : 6)) {
            case 0, 1 -> concat(one, other, asFlow ? one.source().via(flow.concat(other.source())) : null, "concat");
            case 2 -> concat(one, other, one.source().concatLazy(other.source()), "concatLazy");
            case 3 ->
                concat(
                        one,
                        other,
                        asFlow
                                ? other.source().via(flow.prepend(one.source()))
                                : other.source().prepend(one.source()),
                        "before");
            case 4 -> orElse(one, other, asFlow ? one.source().via(flow.orElse(other.source())) : null);
            case 5 -> inTurn && mayFail ? concat(one, other, null, "concat") : delayed(one, other);
            case 6 -> sorted(depth);
            default -> interleave(one, other, 1 + random.nextInt(3), !mayFail && random.nextInt(3) == 0);
        };
    }

    private static Drawn concat(Drawn one, Drawn other, @Nullable Source<Integer, ?> joined, String text) {
        boolean goesOn = one.failure() == null;
        List<Integer> elements = new ArrayList<>(one.elements());
        if (goesOn) {
            elements.addAll(other.elements());
        }
        return new Drawn(
                joined == null ? one.source().concat(other.source()) : joined,
                elements,
                goesOn ? other.failure() : one.failure(),
                text(one, other, text));
    }

    private static String text(Drawn one, Drawn other, String operator) {
        return operator + "(" + one.text() + ", " + other.text() + ")";
    }

    private static Drawn delayed(Drawn one, Drawn other) {
        List<Integer> elements = new ArrayList<>(one.elements());
        elements.addAll(other.elements());
        return new Drawn(
                one.source().concatDelayError(other.source()),
                elements,
                one.failure() == null ? other.failure() : one.failure(),
                text(one, other, "concatDelayError"));
    }

    private static Drawn orElse(Drawn one, Drawn other, @Nullable Source<Integer, ?> joined) {
        Drawn chosen = one.elements().isEmpty() && one.failure() == null ? other : one;
        return new Drawn(
                joined == null ? one.source().orElse(other.source()) : joined,
                chosen.elements(),
                chosen.failure(),
                text(one, other, "orElse"));
    }

    private static Drawn interleave(Drawn one, Drawn other, int size, boolean eager) {
        List<Integer> elements = new ArrayList<>();
        List<List<Integer>> sides = List.of(one.elements(), other.elements());
        int[] taken = new int[2];
        int turn = 0;
        int sent = 0;
        while (eager ? hasMore(sides, taken, turn) : hasMore(sides, taken, 0) || hasMore(sides, taken, 1)) {
            if (hasMore(sides, taken, turn)) {
                elements.add(sides.get(turn).get(taken[turn]++));
                sent++;
            } else {
                sent = size;
            }
            if (sent == size) {
                turn = 1 - turn;
                sent = 0;
            }
        }
        return new Drawn(
                one.source().interleave(other.source(), size, eager),
                elements,
                one.failure() == null ? other.failure() : one.failure(),
                text(one, other, "interleave" + size + eager));
    }

    private static boolean hasMore(List<List<Integer>> sides, int[] taken, int side) {
        return taken[side] < sides.get(side).size();
    }

    /** Sources that are sorted, whatever stands above. */
    private Drawn sorted(int depth) {
        if (depth == 0 || random.nextInt(6) == 0) {
            return leaf();
        }
        Drawn one = sorted(depth - 1);
        Drawn other = sorted(depth - 1);
        List<Integer> elements = Stream.concat(one.elements().stream(), other.elements().stream())
                .sorted(BY_TENS)
                .toList();
        return new Drawn(
                one.source().mergeSorted(other.source(), BY_TENS),
                elements,
                one.failure() == null ? other.failure() : one.failure(),
                text(one, other, "sorted"));
    }
}
