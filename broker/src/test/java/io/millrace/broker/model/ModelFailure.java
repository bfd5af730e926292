package io.millrace.broker.model;

/** The broker did what it must not. */
final class ModelFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    ModelFailure(String message) {
        super(message);
    }
}
