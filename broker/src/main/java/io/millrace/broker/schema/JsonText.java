package io.millrace.broker.schema;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The text of a definition in JSON, looked at before a parser that recurses gets it. */
final class JsonText {
    /** How deep brackets and braces may lie within each other; real definitions have a tenth of it. */
    static final int MAX_DEPTH = 200;

    private JsonText() {}

    /** The text, if it is UTF-8 and not too deep; otherwise refused. */
    static String of(SchemaType type, byte[] data) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(data))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refused.invalid(type, e);
        }
        if (depth(text) > MAX_DEPTH) {
            throw Refused.invalid(type, "it is nested more than " + MAX_DEPTH + " deep");
        }
        return text;
    }

    /** The depth of the brackets and braces outside strings. */
    private static int depth(String text) {
        int depth = 0;
        int deepest = 0;
        boolean isString = false;
        for (int i = 0; i < text.length(); i++) {
            char next = text.charAt(i);
            if (isString) {
                i += next == '\\' ? 1 : 0;
                isString = next != '"';
            } else if (next == '"') {
                isString = true;
            } else if (next == '{' || next == '[') {
                depth++;
                deepest = Math.max(deepest, depth);
            } else if (next == '}' || next == ']') {
                depth--;
            }
        }
        return deepest;
    }
}
