package io.millrace.streams.operator;

import io.millrace.streams.Keep;
import io.millrace.streams.RunnableGraph;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.graph.Attributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One function that a user gives to an operator, in a graph named {@code orders} whose future fails with what the function does.
 *
 * @param operator the name of the operator, as it stands in paths
 * @param name what the function is for
 * @param givesObject whether it could give null
 * @param graph the graph with a function that does this
 */
record UserFunction(
        String operator,
        String name,
        boolean givesObject,
        Function<Trouble, RunnableGraph<? extends CompletionStage<?>>> graph) {

    @Override
    public String toString() {
        return operator + ", " + name;
    }

    /** Where the stream stands around the operator. */
    enum Around {
        NOTHING {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source;
            }
        },
        BOUNDARY {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source.async();
            }
        },
        BLOCKING {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source.withAttributes(Attributes.blocking());
            }
        },
        STAGE_BELOW {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source.mapAsync(2, java.util.concurrent.CompletableFuture::completedFuture);
            }
        },
        EXPANSION_BELOW {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source.mapConcat(List::of);
            }
        },
        JUNCTION_BELOW {
            @Override
            <O, M> Source<O, M> change(Source<O, M> source) {
                return source.concat(Source.empty());
            }
        };

        abstract <O, M> Source<O, M> change(Source<O, M> source);
    }

    /** Collects the functions of the operators. */
    static final class Table {
        private final List<UserFunction> all = new ArrayList<>();
        private final Around around;

        Table(Around around) {
            this.around = around;
        }

        List<UserFunction> all() {
            return List.copyOf(all);
        }

        /** A function that could give null, or hand on an element that is null. */
        Table object(String operator, String name, Function<Trouble, Source<?, ?>> source) {
            return add(operator, name, true, source);
        }

        /** A function of which null makes no sense. */
        Table other(String operator, String name, Function<Trouble, Source<?, ?>> source) {
            return add(operator, name, false, source);
        }

        private Table add(String operator, String name, boolean object, Function<Trouble, Source<?, ?>> source) {
            all.add(new UserFunction(
                    operator,
                    name + " " + around,
                    object,
                    trouble ->
                            around.change(source.apply(trouble).named("orders")).toMat(Sink.ignore(), Keep.right())));
            return this;
        }

        /** The same for a function of a sink. */
        Table sink(
                String operator,
                String name,
                boolean object,
                Function<Trouble, Sink<Integer, ? extends CompletionStage<?>>> sink) {
            all.add(new UserFunction(operator, name + " " + around, object, trouble -> toSink(sink.apply(trouble))));
            return this;
        }

        private <M extends CompletionStage<?>> RunnableGraph<M> toSink(Sink<Integer, M> sink) {
            return around.change(Source.of(1, 2, 3)).toMat(sink.named("orders"), Keep.right());
        }
    }
}
