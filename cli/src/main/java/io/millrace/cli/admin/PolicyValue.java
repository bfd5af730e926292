package io.millrace.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The value of a policy: the text that commands have, and the JSON that the admin API has. */
interface PolicyValue {
    /** A number, a word, true or false. */
    PolicyValue SCALAR = new PolicyValue() {
        @Override
        public JsonNode json(String text) {
            return PolicyValue.scalar(text);
        }

        @Override
        public String text(JsonNode json) {
            return json.asText();
        }
    };

    /** Words with commas between, a list in JSON. */
    PolicyValue WORDS = new PolicyValue() {
        @Override
        public JsonNode json(String text) {
            ArrayNode words = JsonNodeFactory.instance.arrayNode();
            for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                words.add(word);
            }
            return words;
        }

        @Override
        public String text(JsonNode json) {
            List<String> words = new ArrayList<>();
            json.forEach(word -> words.add(word.asText()));
            return String.join(",", words);
        }
    };

    /** Which topics are made on use: {@code never}, {@code non-partitioned}, or {@code partitioned} with how many. */
    PolicyValue AUTO_TOPICS = new PolicyValue() {
        private static final String ALLOWED = "allowAutoTopicCreation";
        private static final String TYPE = "topicType";
        private static final String PARTITIONS = "defaultNumPartitions";
        private static final String NEVER = "never";

        @Override
        public JsonNode json(String text) {
            ObjectNode json = JsonNodeFactory.instance.objectNode().put(ALLOWED, !text.equals(NEVER));
            if (!text.equals(NEVER)) {
                String[] parts = text.split(",", 2);
                json.put(TYPE, parts[0]);
                if (parts.length > 1) {
                    json.set(PARTITIONS, PolicyValue.scalar(parts[1]));
                }
            }
            return json;
        }

        @Override
        public String text(JsonNode json) {
            String partitions = json.path(PARTITIONS).asText("");
            String type = json.path(TYPE).asText();
            if (!json.path(ALLOWED).asBoolean()) {
                return NEVER;
            }
            return partitions.isEmpty() ? type : type + ',' + partitions;
        }
    };

    /** Numbers, as the API has them. */
    Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    /**
     * That of a text.
     *
     * @throws IllegalArgumentException if it is not of the form, naming it
     */
    JsonNode json(String text);

    String text(JsonNode json);

    /** The properties of an object with commas between, all of them. */
    static PolicyValue parts(String... properties) {
        return new PolicyValue() {
            @Override
            public JsonNode json(String text) {
                String[] parts = text.split(",", -1);
                if (parts.length != properties.length) {
                    throw new IllegalArgumentException("the value is " + String.join(",", properties)
                            + " in one word, as the guide to policies has it, but this is '" + text + "'");
                }
                ObjectNode json = JsonNodeFactory.instance.objectNode();
                for (int i = 0; i < parts.length; i++) {
                    json.set(properties[i], scalar(parts[i]));
                }
                return json;
            }

            @Override
            public String text(JsonNode json) {
                List<String> parts = new ArrayList<>();
                for (String property : properties) {
                    parts.add(json.path(property).asText());
                }
                return String.join(",", parts);
            }
        };
    }

    private static JsonNode scalar(String text) {
        if (NUMBER.matcher(text).matches()) {
            return JsonNodeFactory.instance.numberNode(Long.parseLong(text));
        }
        return text.equals("true") || text.equals("false")
                ? JsonNodeFactory.instance.booleanNode(text.equals("true"))
                : JsonNodeFactory.instance.textNode(text);
    }
}
