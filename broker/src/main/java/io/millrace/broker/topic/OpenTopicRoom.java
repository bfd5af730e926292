package io.millrace.broker.topic;

/** How many topics may have their stream graphs in memory; idle ones must leave part of that to others. */
final class OpenTopicRoom {
    private static final int PARTS = 4;

    private final int maxTopics;
    private int topics;

    OpenTopicRoom(int maxTopics) {
        this.maxTopics = maxTopics;
    }

    boolean take() {
        if (topics == maxTopics) {
            return false;
        }
        topics++;
        return true;
    }

    void giveBack() {
        topics--;
    }

    /** Whether less than a quarter will be free after the unloads that are under way. */
    boolean isShort(int unloading) {
        return topics - unloading > (long) maxTopics * (PARTS - 1) / PARTS;
    }

    String refusal(TopicName name) {
        return "topic " + name + " cannot be opened: " + maxTopics
                + " topics are in use, as many as the heap has room for. Close producers and consumers of others, or start"
                + " the broker with a larger heap (-Xmx)";
    }
}
