package io.millrace.benchmarks.junit;

import org.junit.jupiter.api.Test;

/** A test class without a broker. */
class PlainCase {
    @Test
    void test() {}
}
