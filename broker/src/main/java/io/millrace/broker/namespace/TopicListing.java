package io.millrace.broker.namespace;

import io.millrace.broker.topic.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks of a namespace's topics.
 *
 * @param domain whether stored topics are meant or those that are not; null for both
 * @param pattern a regular expression that their names match; null for all
 */
public record TopicListing(
        NamespaceName namespace,
        TopicName.@Nullable Domain domain,
        @Nullable String pattern) {
    boolean includes(TopicName.Domain asked) {
        return domain == null || domain == asked;
    }
}
