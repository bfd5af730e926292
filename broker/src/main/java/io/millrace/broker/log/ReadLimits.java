package io.millrace.broker.log;

/** How much one read may return; the first entry is always returned. */
record ReadLimits(int maxEntries, int maxBytes) {
    ReadLimits one() {
        return new ReadLimits(1, 1);
    }
}
