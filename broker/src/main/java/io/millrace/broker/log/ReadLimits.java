package io.millrace.broker.log;

/** How much one read may return; the first entry always may. */
record ReadLimits(int maxEntries, int maxBytes) {
    ReadLimits one() {
        return new ReadLimits(1, 1);
    }
}
