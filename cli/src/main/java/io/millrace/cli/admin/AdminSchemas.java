package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.exit.CommandFailure;
import io.millrace.cli.schema.MessageSchema;
import io.millrace.cli.schema.SchemaVersions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The schemas of a topic, over HTTP. */
final class AdminSchemas implements SchemaVersions {
    private final AdminClient client;
    private final String path;

    AdminSchemas(AdminClient client, TopicPath topic) {
        this.client = client;
        this.path = topic.schemas();
    }

    /** All versions, ascending. */
    JsonNode all() {
        return client.get(path + "/schemas").path("getSchemaResponses");
    }

    /** That version, or the latest. */
    JsonNode answer(@Nullable Long version) {
        return client.get(path + "/schema" + (version == null ? "" : "/" + version));
    }

    MessageSchema schema(long version) {
        try {
            return MessageSchema.ofAnswer(answer(version));
        } catch (IOException e) {
            throw new CommandFailure("version " + version + " makes no sense: " + e.getMessage(), e);
        }
    }

    @Override
    public @Nullable MessageSchema fetch(long version) throws IOException {
        JsonNode found = client.find(path + "/schema/" + version).orElse(null);
        return found == null ? null : MessageSchema.ofAnswer(found);
    }

    /** Sets a schema: the answer is its version, which is told within another one as Pulsar does. */
    long set(JsonNode payload) {
        JsonNode version = client.postForAnswer(path + "/schema", payload).path("version");
        return (version.isObject() ? version.path("version") : version).asLong();
    }

    void delete() {
        client.delete(path + "/schema");
    }

    /** Whether the topic would take it. */
    JsonNode verdict(JsonNode payload) {
        return client.postForAnswer(path + "/compatibility", payload);
    }

    /** The version that is the same; null if there is none. */
    @Nullable
    Long versionOf(JsonNode payload) {
        JsonNode version = client.postForAnswer(path + "/version", payload).path("version");
        return version.isIntegralNumber() && version.asLong() >= 0 ? version.asLong() : null;
    }
}
