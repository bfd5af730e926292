package io.millrace.benchmarks.hub;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What all threads have allocated so far. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    static long bytes() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
