package io.millrace.cli.admin;

import picocli.CommandLine.Parameters;

/** The topic that a verb is about, its first argument. */
final class TopicArgument {
    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic.", converter = TopicPath.Converter.class)
    @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
    private TopicPath topic;

    TopicPath topic() {
        return topic;
    }
}
