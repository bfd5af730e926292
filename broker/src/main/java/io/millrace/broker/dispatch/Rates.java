package io.millrace.broker.dispatch;

/**
 * What goes to consumers and comes back a second, as a {@link Meter} has it.
 *
 * @param messages that are sent
 * @param bytes of those
 * @param redelivered messages that are sent again
 * @param acknowledged messages that consumers hold and acknowledge
 * @param dropped messages of a topic that stores nothing which no consumer took when they came
 */
public record Rates(double messages, double bytes, double redelivered, double acknowledged, double dropped) {
    static final int COUNTERS = 5;
    static final Rates NONE = new Rates(0, 0, 0, 0, 0);

    static Rates of(double[] each) {
        return new Rates(each[0], each[1], each[2], each[3], each[4]);
    }
}
