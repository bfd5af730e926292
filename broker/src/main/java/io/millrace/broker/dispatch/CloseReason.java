package io.millrace.broker.dispatch;

/** Why the broker itself closes a consumer or a producer. */
public enum CloseReason {
    /** The subscription's position was moved; the client reconnects and goes on there. */
    SEEK,
    /** The subscription was removed. */
    UNSUBSCRIBED,
    /** The topic closes; the client may look it up again. */
    TOPIC_CLOSED,
    /** The backlog of the topic is beyond its quota; the client may come back, and hears of it then. */
    QUOTA,
    /** A newer producer of the same name took over. */
    FENCED,
    /** The stage behind it failed; the client may try again. */
    FAILED
}
