package io.millrace.cli.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** JSON whose numbers stay as they are written, however long. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** One value, and nothing behind it. */
    static JsonNode read(byte[] text) throws IOException {
        JsonNode value;
        try {
            value = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IOException("it is no JSON: " + e.getOriginalMessage(), e);
        }
        if (value.isMissingNode()) {
            throw new IOException("it is no JSON: it is empty");
        }
        return value;
    }

    /** As one line. */
    public static byte[] line(JsonNode value) throws IOException {
        return MAPPER.writeValueAsBytes(value);
    }
}
