package io.millrace.broker.admin;

import io.millrace.avro.jackson.annotation.JsonInclude;
import io.millrace.avro.jackson.core.JsonGenerator;
import io.millrace.avro.jackson.core.JsonProcessingException;
import io.millrace.avro.jackson.core.json.JsonWriteFeature;
import io.millrace.avro.jackson.core.type.TypeReference;
import io.millrace.avro.jackson.databind.DeserializationFeature;
import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.ObjectMapper;
import io.millrace.avro.jackson.databind.json.JsonMapper;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/** JSON as Pulsar's broker reads and writes it: without nulls, unknown properties being ignored. Thread-safe. */
final class Json {
    private static final int BAD_REQUEST = 400;
    private static final TypeReference<TreeMap<String, String>> TEXTS = new TypeReference<>() {};

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
            .build();

    private Json() {}

    /** The answer that holds this value. */
    static Response answer(Object value) {
        return Response.json(bytes(value));
    }

    static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /** Writes JSON by hand. */
    static JsonGenerator generator(OutputStream out) {
        try {
            return MAPPER.createGenerator(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Object value) {
        return new String(bytes(value), java.nio.charset.StandardCharsets.UTF_8);
    }

    /** The same in ASCII, as a header may hold it. */
    static String ascii(Object value) {
        try {
            return MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII).writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }

    /**
     * The body of a request.
     *
     * @throws HttpRefusal 415 if it is of another type, 400 if it is not well formed
     */
    static JsonNode tree(Request request) {
        requireJson(request);
        try {
            JsonNode read = MAPPER.readTree(request.content().bytes());
            return read == null ? MAPPER.nullNode() : read;
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** The body as one of Pulsar's classes; null is refused. */
    static <T> T read(Request request, Class<T> type) {
        return convert(tree(request), type);
    }

    /** A part of a body as one of Pulsar's classes; null is refused. */
    static <T> T convert(JsonNode node, Class<T> type) {
        try {
            T value = MAPPER.treeToValue(node, type);
            if (value == null) {
                throw new HttpRefusal(BAD_REQUEST, "the body is missing, but is needed");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    /** The body as texts by key; empty if there is none. */
    static Map<String, String> texts(Request request) {
        if (request.content().isEmpty()) {
            return Map.of();
        }
        JsonNode tree = tree(request);
        return tree.isNull() ? Map.of() : texts(tree);
    }

    /** An object of texts. */
    static Map<String, String> texts(JsonNode node) {
        try {
            Map<String, String> texts = MAPPER.convertValue(node, TEXTS);
            if (texts.containsValue(null)) {
                throw new HttpRefusal(BAD_REQUEST, "a property has no value");
            }
            return texts;
        } catch (IllegalArgumentException e) {
            throw malformed(e);
        }
    }

    /** A number, or true or false, which may be given as a text, as Jackson reads it where one is wanted. */
    static JsonNode scalar(JsonNode given) {
        String text = given.isTextual() ? given.textValue().strip() : "";
        if (text.matches("-?\\d{1,18}")) {
            return parse(Long.toString(Long.parseLong(text))); // which may begin with zeros, as in JSON it may not
        }
        return text.equals("true") || text.equals("false") ? parse(text) : given;
    }

    /** A text that {@link #bytes} has written. */
    static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was stored is not JSON: " + text, e);
        }
    }

    /** JSON within the body of a request. */
    static JsonNode parseOrRefuse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    private static void requireJson(Request request) {
        String type = request.content().type();
        int end = type.indexOf(';');
        String plain = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(java.util.Locale.ROOT);
        boolean isJson = plain.equals(Response.JSON) || (plain.startsWith("application/") && plain.endsWith("+json"));
        if (!isJson) {
            throw new HttpRefusal(
                    415, "HTTP 415 Unsupported Media Type: the body must be application/json, but is '" + type + "'");
        }
    }

    private static HttpRefusal malformed(Exception cause) {
        String message = String.valueOf(cause.getMessage());
        int line = message.indexOf('\n');
        return new HttpRefusal(
                BAD_REQUEST,
                "the body is not the JSON that is expected: " + (line < 0 ? message : message.substring(0, line)),
                cause);
    }
}
