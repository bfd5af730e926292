package io.millrace.streams.engine.island;

import io.millrace.streams.stage.InHandler;
import io.millrace.streams.stage.OutHandler;

/** The handler of a port of a finished stream; it is never called. */
enum ClosedPort implements InHandler, OutHandler {
    INSTANCE;

    @Override
    public void onPush() {
        throw new IllegalStateException("an element has come to a finished stream");
    }

    @Override
    public void onPull() {
        throw new IllegalStateException("a finished stream was asked for an element");
    }
}
