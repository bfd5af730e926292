package io.millrace.broker.admin;

import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.topic.NewSubscription;
import java.util.Map;

/** How many properties a subscription or a namespace may be given over HTTP: as many as a client could send with a consumer. */
final class PropertyBounds {
    private static final int BAD_REQUEST = 400;

    private PropertyBounds() {}

    /**
     * The same properties, if they are within the bounds.
     *
     * @param owner what they are properties of
     * @throws HttpRefusal 400 otherwise
     */
    static Map<String, String> within(String owner, Map<String, String> properties) {
        long chars = properties.entrySet().stream()
                .mapToLong(each -> each.getKey().length() + each.getValue().length())
                .sum();
        if (properties.size() > NewSubscription.MAX_PROPERTIES || chars > NewSubscription.MAX_PROPERTY_CHARS) {
            throw new HttpRefusal(
                    BAD_REQUEST,
                    properties.size() + " properties of " + chars + " characters: " + owner + " has at most "
                            + NewSubscription.MAX_PROPERTIES + " of " + NewSubscription.MAX_PROPERTY_CHARS);
        }
        return properties;
    }
}
