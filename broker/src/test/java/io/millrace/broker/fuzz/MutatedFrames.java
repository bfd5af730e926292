package io.millrace.broker.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Frames that were valid until some of their bits, bytes or sizes were changed. */
final class MutatedFrames implements FrameSource {
    private static final int[] SIZES = {0, 1, -1, 4, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 20, 5 << 20};
    private static final int WRONG_SIZE_IN = 25;

    private final Random random;
    private final HostileCommands commands;

    MutatedFrames(Random random) {
        this.random = random;
        commands = new HostileCommands(random);
    }

    @Override
    public byte[] next() {
        byte[] frame = commands.next();
        for (int i = random.nextInt(4); i >= 0; i--) {
            frame = mutate(frame);
        }
        ByteBuffer.wrap(frame).putInt(0, frame.length - Integer.BYTES);
        if (random.nextInt(WRONG_SIZE_IN) == 0) {
            ByteBuffer.wrap(frame).putInt(0, SIZES[random.nextInt(SIZES.length)]);
        }
        return frame;
    }

    private byte[] mutate(byte[] frame) {
        int at = Integer.BYTES + random.nextInt(frame.length - Integer.BYTES);
        switch (random.nextInt(6)) {
            case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> frame[at] = (byte) random.nextInt();
            case 2 -> frame[at] = (byte) 0xff;
            case 3 -> {
                return Arrays.copyOf(frame, Math.max(2 * Integer.BYTES, at));
            }
            case 4 -> {
                int size = SIZES[random.nextInt(SIZES.length)];
                ByteBuffer.wrap(frame).putInt(Math.min(at, frame.length - Integer.BYTES), size);
            }
            default -> {
                byte[] longer = Arrays.copyOf(frame, frame.length + random.nextInt(64));
                System.arraycopy(frame, at, longer, at + longer.length - frame.length, frame.length - at);
                return longer;
            }
        }
        return frame;
    }
}
