package io.millrace.broker.dispatch;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks for every violation of the accounting invariant; empty if there is none. For tests. */
record Inspect(CompletableFuture<List<String>> reply) implements DispatcherCommand {}
