package io.millrace.examples.orders;

/** What a guest wants. */
public record Order(String guest, String dish) {}
