package io.millrace.benchmarks.junit;

import io.millrace.junit.Millrace;
import io.millrace.junit.MillraceService;
import io.millrace.junit.WhenLeftOpen;
import org.junit.jupiter.api.Test;

/** The same with a broker that is ready for clients. */
@Millrace(whenLeftOpen = WhenLeftOpen.FAIL)
class ServedCase {
    @Test
    void test(MillraceService service) {
        if (service.broker().port() == 0) {
            throw new AssertionError("the broker does not listen");
        }
    }
}
