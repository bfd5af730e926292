package io.millrace.compatibility.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.pulsar.common.util.ObjectMapperFactory;
import org.jspecify.annotations.Nullable;

/** A JSON document as lines, one for each value, fields in the order of their names: {@code stats.subscriptions.s.msgBacklog} and {@code 3}. */
final class JsonLines {
    private static final ObjectMapper PLAIN = new ObjectMapper();

    private final BiConsumer<String, String> lines;
    private final Predicate<String> masked;

    /** What is called with each key and value, and which fields' values are masked. */
    JsonLines(BiConsumer<String, String> lines, Predicate<String> masked) {
        this.lines = lines;
        this.masked = masked;
    }

    /** Writes an object of the client, as its own mapper sees it. */
    void object(String key, @Nullable Object value) throws Exception {
        text(key, ObjectMapperFactory.getMapper().writer().writeValueAsString(value));
    }

    /** Writes a document; text that is none is written as it is. */
    void text(String key, String json) {
        JsonNode parsed;
        try {
            parsed = PLAIN.readTree(json);
        } catch (JsonProcessingException e) {
            lines.accept(key, json);
            return;
        }
        node(key, "", parsed);
    }

    private void node(String key, String field, JsonNode node) {
        if (masked.test(field) && !node.isNull() && !node.isContainerNode()) {
            lines.accept(key, Volatile.MASK);
        } else if (node.isEmpty()) {
            lines.accept(key, node.isMissingNode() ? "" : node.toString());
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                node(key + "[" + i + "]", "", node.get(i));
            }
        } else {
            fields(node).forEach((name, value) -> node(key + "." + name, name, value));
        }
    }

    private static Map<String, JsonNode> fields(JsonNode node) {
        Map<String, JsonNode> sorted = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : Set.copyOf(node.properties())) {
            sorted.put(entry.getKey(), entry.getValue());
        }
        return sorted;
    }
}
