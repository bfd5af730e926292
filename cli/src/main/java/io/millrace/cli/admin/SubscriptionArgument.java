package io.millrace.cli.admin;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The subscription that a verb is about, its first two arguments. */
final class SubscriptionArgument {
    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
    private TopicArgument of;

    @Parameters(index = "1", paramLabel = "NAME", description = "The subscription.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before a verb runs
    private String name;

    TopicPath topic() {
        return of.topic();
    }

    /** Where the API has it. */
    String path() {
        return pathIn(topic());
    }

    /** Where the API has that of the same name of another topic. */
    String pathIn(TopicPath topic) {
        return topic.subscription(name);
    }
}
