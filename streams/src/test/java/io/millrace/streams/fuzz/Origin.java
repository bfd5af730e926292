package io.millrace.streams.fuzz;

import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Pair;
import io.millrace.streams.graph.Supervision;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A source of these elements.
 *
 * @param fault what the iterator does instead of giving an element, if it is made of one
 */
record Origin(String name, Way way, List<Object> elements, Fault fault) {
    /** Whether it gives elements and failures only as they are asked for. */
    boolean isExact() {
        return way == Way.FROM || way == Way.ITERATOR || way == Way.STREAM || way == Way.UNFOLD;
    }

    /** Names of the factories of {@link Source}. */
    enum Way {
        FROM,
        ITERATOR,
        STREAM,
        UNFOLD,
        UNFOLD_ASYNC,
        RESOURCE,
        LAZY,
        CYCLE,
        OPTIONAL,
        COMPLETION_STAGE,
        FAILED,
        FAILED_STAGE,
        UNFOLD_LATER,
        OF,
        QUEUE,
        MAYBE,
        PUBLISHER
    }

    static Origin drawn(Dice dice, String name) {
        Way way = dice.oneIn(2) ? Way.ITERATOR : dice.of(List.of(Way.values()));
        List<Object> elements = dice.elements();
        if (elements.size() > 1 && (way == Way.OPTIONAL || way == Way.COMPLETION_STAGE || way == Way.MAYBE)) {
            elements = elements.subList(0, 1);
        }
        boolean isFaulty = way == Way.ITERATOR || way == Way.RESOURCE || way == Way.UNFOLD || way == Way.UNFOLD_LATER;
        Fault fault = isFaulty && dice.oneIn(2) ? dice.fault() : Fault.NONE;
        boolean isThrowable = way == Way.RESOURCE
                ? fault.kind() != Fault.Kind.NULL
                : fault.kind() != Fault.Kind.CHECKED && (way == Way.ITERATOR || fault.kind() != Fault.Kind.NULL);
        return new Origin(name, way, List.copyOf(elements), isThrowable ? fault : Fault.NONE);
    }

    Origin with(List<Object> fewer) {
        return new Origin(name, way, List.copyOf(fewer), fault);
    }

    Source<Object, ?> source(AtomicInteger pulls) {
        return made(pulls).named(name).withAttributes(Attributes.supervision(Supervision.stop()));
    }

    private Source<Object, ?> made(AtomicInteger pulls) {
        return switch (way) {
            case FROM -> Source.from(elements);
            case ITERATOR -> Source.fromIterator(() -> iterator(pulls));
            case STREAM -> Source.fromStream(elements::stream);
            case UNFOLD -> Source.unfold(0, n -> next(n));
            case UNFOLD_ASYNC -> Source.unfoldAsync(0, n -> CompletableFuture.completedFuture(next(n)));
            case RESOURCE ->
                Source.<int[], Object>unfoldResource(
                        () -> new int[1], at -> next(at[0]++).map(pair -> pair.second()), at -> {});
            case LAZY -> Source.lazy(() -> Source.from(elements));
            case CYCLE ->
                elements.isEmpty()
                        ? Source.empty()
                        : Source.<Object>cycle(elements::iterator).take(elements.size());
            case OPTIONAL -> Source.fromOptional(elements.stream().findFirst());
            case COMPLETION_STAGE ->
                elements.isEmpty()
                        ? Source.empty()
                        : Source.fromCompletionStage(CompletableFuture.supplyAsync(() -> elements.get(0)));
            case FAILED -> Source.from(elements).concat(Source.failed(fromOutside()));
            case FAILED_STAGE ->
                Source.from(elements).concat(Source.<Object>fromCompletionStage(CompletableFuture.supplyAsync(() -> {
                    throw fromOutside();
                })));
            case UNFOLD_LATER -> Source.unfoldAsync(0, n -> FutureKinds.Manner.LATER.future(() -> next(n)));
            case OF -> Source.of(elements.toArray());
            case QUEUE ->
                Source.<Object>queue(Math.max(1, elements.size())).mapMaterializedValue(queue -> {
                    elements.forEach(queue::offer);
                    queue.complete();
                    return queue;
                });
            case MAYBE ->
                Source.<Object>maybe()
                        .mapMaterializedValue(
                                maybe -> maybe.complete(elements.stream().findFirst()));
            case PUBLISHER ->
                Source.<Object, Object>fromRuntime((runtime, attributes) -> Source.<Object>fromPublisher(
                                Source.from(elements).toPublisher(runtime))
                        .mapMaterializedValue(value -> value));
        };
    }

    private static IllegalStateException fromOutside() {
        return new IllegalStateException("from outside");
    }

    private boolean isFailing() {
        return way == Way.FAILED || way == Way.FAILED_STAGE;
    }

    private Optional<Pair<Integer, Object>> next(int at) throws Exception {
        if (at >= elements.size()) {
            return Optional.empty();
        }
        Object x = elements.get(at);
        return Optional.of(new Pair<>(at + 1, fault.of(name, x, x)));
    }

    private Iterator<Object> iterator(AtomicInteger pulls) {
        Iterator<Object> each = elements.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return each.hasNext();
            }

            @Override
            public Object next() {
                pulls.incrementAndGet();
                Object x = each.next();
                try {
                    return fault.of(name, x, x);
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException("an iterator throws no checked exception", e);
                }
            }
        };
    }

    /** The elements as the interpreter sees them. */
    Pull interpreted(Interpretation run, boolean isCounted) {
        Iterator<Object> each = elements.iterator();
        Place place = new Place(name, Supervision.Directive.STOP, run);
        return new Pull() {
            private boolean isOver;

            @Override
            public @Nullable Object next() {
                if (isOver || !each.hasNext()) {
                    if (isFailing() && !isOver) {
                        isOver = true;
                        throw new Failed(fromOutside(), null);
                    }
                    return null;
                }
                if (isCounted && way == Way.ITERATOR) {
                    run.pulls++;
                }
                Object x = each.next();
                try {
                    return place.present(fault.of(name, x, x));
                } catch (Throwable thrown) {
                    isOver = true;
                    throw place.failed(thrown);
                }
            }
        };
    }

    /** In words of Java, where it is made as it is told. */
    String text() {
        String list = Texts.list(elements);
        String ending = ".named(\"" + name + "\")";
        String made = switch (way) {
            case ITERATOR -> "Source.<Object>fromIterator(() -> " + list + ".iterator())";
            case FROM -> "Source.<Object>from(" + list + ")";
            case FAILED ->
                "Source.<Object>from(" + list + ").concat(Source.failed(new IllegalStateException(\"from outside\")))";
            default -> "new Origin(\"\", Origin.Way." + way + ", " + list + ", Fault.NONE).source(pulls)";
        };
        return fault.kind() == Fault.Kind.NONE ? made + ending : faulty(list) + ending;
    }

    private String faulty(String list) {
        return "new Origin(\"" + name + "\", Origin.Way." + way + ", " + list + ", new Fault(Fault.Kind." + fault.kind()
                + ", " + fault.at() + ")).source(pulls)";
    }
}
