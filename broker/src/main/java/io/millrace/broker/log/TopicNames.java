package io.millrace.broker.log;

/** Is told which topics there are; on the log's threads, so it must not block. */
public interface TopicNames {
    /** Nobody is told. */
    TopicNames IGNORED = new TopicNames() {
        @Override
        public void made(String topic) {}

        @Override
        public void gone(String topic) {}
    };

    /** A topic was made, durably. */
    void made(String topic);

    /** A topic was deleted, durably, or could not be made. */
    void gone(String topic);
}
