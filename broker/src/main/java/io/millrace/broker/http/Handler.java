package io.millrace.broker.http;

import java.util.concurrent.CompletionStage;

/** What answers the requests of one route. Called by the event loop of HTTP: it must not block. */
@FunctionalInterface
public interface Handler {
    /** The answer, whenever it is done; a failure is turned into one by {@link Routes#failures}. */
    CompletionStage<Response> handle(Request request);
}
