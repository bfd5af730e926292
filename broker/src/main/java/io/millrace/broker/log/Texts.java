package io.millrace.broker.log;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Texts by key as they are stored, in the order of their keys.
 *
 * <pre>
 *   4 bytes   how many there are
 *   of each, its key, then its value:
 *     4 bytes   how many bytes follow
 *               the text in UTF-8
 * </pre>
 */
public final class Texts {
    private Texts() {}

    /** Their bytes. */
    public static byte[] encode(Map<String, String> texts) {
        List<byte[]> inOrder = new ArrayList<>();
        new TreeMap<>(texts).forEach((key, value) -> {
            inOrder.add(key.getBytes(StandardCharsets.UTF_8));
            inOrder.add(value.getBytes(StandardCharsets.UTF_8));
        });
        int bytes =
                inOrder.stream().mapToInt(text -> Integer.BYTES + text.length).sum();
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + bytes).putInt(texts.size());
        inOrder.forEach(text -> out.putInt(text.length).put(text));
        return out.array();
    }

    /**
     * Takes them from these bytes, in the order of their keys; what follows is left. Whoever asked may change them.
     *
     * @throws EOFException if the bytes end before, or say of a text that it is longer than they are
     */
    public static Map<String, String> decode(ByteBuffer in) throws EOFException {
        Map<String, String> texts = new TreeMap<>();
        for (int left = take(in, Integer.BYTES).getInt(); left > 0; left--) {
            String key = text(in);
            texts.put(key, text(in));
        }
        return texts;
    }

    private static String text(ByteBuffer in) throws EOFException {
        ByteBuffer text = take(in, take(in, Integer.BYTES).getInt());
        return StandardCharsets.UTF_8.decode(text).toString();
    }

    private static ByteBuffer take(ByteBuffer in, int bytes) throws EOFException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new EOFException(bytes + " bytes are due, and " + in.remaining() + " are left");
        }
        ByteBuffer taken = in.slice(in.position(), bytes);
        in.position(in.position() + bytes);
        return taken;
    }
}
