package io.millrace.user;

import io.millrace.streams.RuntimeSettings;
import io.millrace.streams.Sink;
import io.millrace.streams.Source;
import io.millrace.streams.StreamRuntime;
import io.millrace.streams.graph.Done;

/** Runs a stream that fails and prints what is reported: a program outside the packages of the library, as those of its users are. */
public final class FailingStream {
    private FailingStream() {}

    public static void main(String[] args) {
        RuntimeSettings settings =
                RuntimeSettings.defaults().withFailureReporter(failure -> System.out.println(failure.getMessage()));
        try (StreamRuntime runtime = StreamRuntime.create(settings)) {
            Source.range(0, 3)
                    .map(x -> x / (x - 1))
                    .runWith(Sink.ignore(), runtime)
                    .toCompletableFuture()
                    .exceptionally(failure -> Done.DONE)
                    .join();
        }
    }
}
