package io.millrace.compatibility.admin;

import io.millrace.compatibility.scenario.Context;
import java.util.Map;
import org.apache.pulsar.client.admin.Topics;

/** The properties of a topic that there is: set, changed, removed. */
final class PropertiesOf {
    private PropertiesOf() {}

    static void tell(Context context, String topic) {
        Topics topics = context.admin().topics();
        context.call("at first", () -> topics.getProperties(topic));
        context.run("set", () -> topics.updateProperties(topic, Map.of("a", "1", "b", "2")));
        context.run("change", () -> topics.updateProperties(topic, Map.of("b", "3", "c", "")));
        context.call("then", () -> topics.getProperties(topic));
        context.run("remove", () -> topics.removeProperties(topic, "a"));
        context.run("remove none", () -> topics.removeProperties(topic, "none"));
        context.call("at last", () -> topics.getProperties(topic));
    }
}
