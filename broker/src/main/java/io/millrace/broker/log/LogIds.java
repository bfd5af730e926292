package io.millrace.broker.log;

import java.util.concurrent.atomic.AtomicLong;

/** The next numbers to give to topics, cursors and ledgers; never given again, also not after a restart. */
record LogIds(AtomicLong topic, AtomicLong cursor, AtomicLong ledger) {
    static LogIds of(long topic, long cursor, long ledger) {
        return new LogIds(new AtomicLong(topic), new AtomicLong(cursor), new AtomicLong(ledger));
    }

    void set(LogIds others) {
        topic.set(others.topic.get());
        cursor.set(others.cursor.get());
        ledger.set(others.ledger.get());
    }
}
