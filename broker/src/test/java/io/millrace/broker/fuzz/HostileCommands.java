package io.millrace.broker.fuzz;

import io.millrace.broker.protocol.WireFrames;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.MessageMetadata;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Well-formed commands of every type, with every field that there is: numbers at their extremes, lists that are long. */
final class HostileCommands implements FrameSource {
    private static final long[] LONGS = {
        0, 1, 2, -1, 63, 64, 1 << 16, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE
    };
    private static final int[] INTS = {0, 1, 2, -1, 63, 64, 1_000, 65_535, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE
    };
    private static final int[] LISTS = {0, 1, 1, 2, 3, 10};
    private static final int[] LONG_LISTS = {100, 1_000, 1_000, 3_000};
    private static final int LONGEST_LIST = 250_000;
    private static final int MAX_DEPTH = 4;
    /** Commands that do most when they are taken. */
    private static final List<BaseCommand.Type> FREQUENT = List.of(
            BaseCommand.Type.SEND,
            BaseCommand.Type.SEND,
            BaseCommand.Type.SEND,
            BaseCommand.Type.ACK,
            BaseCommand.Type.ACK,
            BaseCommand.Type.FLOW,
            BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES,
            BaseCommand.Type.SUBSCRIBE,
            BaseCommand.Type.PRODUCER);
    /** Commands after which little of what follows is taken. */
    private static final Set<BaseCommand.Type> ENDING = Set.of(
            BaseCommand.Type.CONNECT,
            BaseCommand.Type.CLOSE_PRODUCER,
            BaseCommand.Type.CLOSE_CONSUMER,
            BaseCommand.Type.SEEK,
            BaseCommand.Type.UNSUBSCRIBE);
    /** Commands whose names differ from those of their fields. */
    private static final Map<String, String> FIELDS =
            Map.of("partitionedmetadata", "partitionmetadata", "lookup", "lookuptopic");

    /** Which fields are set. */
    private enum Fields {
        SOME,
        ALL_BUT_TRANSACTIONS,
        ALL
    }

    private final Random random;
    private final Map<Class<?>, List<Method>> setters = new HashMap<>();
    private final Map<BaseCommand.Type, Method> commands = new HashMap<>();
    private final List<BaseCommand.Type> types;
    /** How many elements this command may still have, so that it stays a frame. */
    private int elementsLeft;

    private Fields fields = Fields.ALL;

    HostileCommands(Random random) {
        this.random = random;
        for (BaseCommand.Type type : BaseCommand.Type.values()) {
            String name = type.name().replace("_", "").toLowerCase(Locale.ROOT);
            for (Method setter : setters(BaseCommand.class)) {
                String field = setter.getName().substring(3).toLowerCase(Locale.ROOT);
                if (setter.getParameterCount() == 0 && field.equals(FIELDS.getOrDefault(name, name))) {
                    commands.put(type, setter);
                }
            }
        }
        types = commands.keySet().stream().sorted().toList();
    }

    @Override
    public byte[] next() {
        BaseCommand.Type type = types.get(random.nextInt(types.size()));
        if (random.nextBoolean() || (ENDING.contains(type) && random.nextInt(20) > 0)) {
            type = FREQUENT.get(random.nextInt(FREQUENT.size()));
        }
        return frame(type);
    }

    private byte[] frame(BaseCommand.Type type) {
        BaseCommand command = filled(
                () -> new BaseCommand().setType(type),
                c -> fill(call(commands.get(type), c), 0),
                c -> copy(c.toByteArray(), new BaseCommand(), BaseCommand::parseFrom));
        byte[] rest = type == BaseCommand.Type.SEND ? message() : new byte[0];
        return WireFrames.frame(command, rest);
    }

    /** With some of its fields; with more if those were not all that are required. */
    private <T> T filled(Supplier<T> made, Consumer<T> filler, UnaryOperator<T> copy) {
        elementsLeft = random.nextInt(2_000) == 0 ? LONGEST_LIST : 3_000;
        T complete = null;
        for (int i = 0; complete == null; i++) {
            fields = Fields.values()[Math.min(i, Fields.values().length - 1)];
            T message = made.get();
            filler.accept(message);
            complete = ifComplete(message, copy);
        }
        return complete;
    }

    /** A copy that can be written: one that was filled may be written only once. Null if what is required is missing. */
    private static <T> T ifComplete(T message, UnaryOperator<T> copy) {
        try {
            return copy.apply(message);
        } catch (IllegalStateException | NullPointerException fieldMissing) {
            return null;
        }
    }

    private static <T> T copy(byte[] bytes, T target, BiConsumer<T, byte[]> parse) {
        parse.accept(target, bytes);
        return target;
    }

    private byte[] message() {
        MessageMetadata metadata = filled(
                MessageMetadata::new,
                m -> fill(m, 0),
                m -> copy(m.toByteArray(), new MessageMetadata(), MessageMetadata::parseFrom));
        String payload = "x".repeat(random.nextInt(100));
        return random.nextInt(10) == 0
                ? WireFrames.withoutChecksum(metadata, payload)
                : WireFrames.message(metadata, payload);
    }

    private void fill(Object message, int depth) {
        int leaveOut = fields == Fields.SOME ? 1 + random.nextInt(10) : 0;
        for (Method setter : setters(message.getClass())) {
            boolean list = setter.getName().startsWith("add");
            if (list) {
                addAll(message, setter);
            } else if (setter.getParameterCount() == 1) {
                set(message, setter, leaveOut);
            } else if (depth < MAX_DEPTH && random.nextInt(10) >= leaveOut) {
                fill(call(setter, message), depth + 1);
            }
        }
    }

    /** Transactions are refused before anything else is looked at, so they are rare. */
    private void set(Object message, Method setter, int leaveOut) {
        boolean transaction = fields != Fields.ALL && setter.getName().startsWith("setTxnid") && random.nextInt(20) > 0;
        if (!transaction && random.nextInt(20) >= leaveOut) {
            call(setter, message, value(setter));
        }
    }

    private void addAll(Object message, Method adder) {
        int[] lengths = random.nextInt(30) == 0 ? LONG_LISTS : LISTS;
        int count = elementsLeft == LONGEST_LIST ? LONGEST_LIST : lengths[random.nextInt(lengths.length)];
        for (int i = 0; i < count && elementsLeft > 0; i++) {
            elementsLeft--;
            if (adder.getParameterCount() == 1) {
                call(adder, message, value(adder));
            } else {
                fill(call(adder, message), MAX_DEPTH);
            }
        }
    }

    private Object value(Method setter) {
        Class<?> type = setter.getParameterTypes()[0];
        if (type == long.class) {
            boolean handle =
                    setter.getName().equals("setConsumerId") || setter.getName().equals("setProducerId");
            return handle && random.nextInt(5) > 0 ? 1L : longValue();
        } else if (type == int.class) {
            return INTS[random.nextInt(INTS.length)];
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return text(setter.getName());
        } else if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        } else if (type == byte[].class) {
            return new byte[random.nextInt(20) == 0 ? 5_000 : random.nextInt(20)];
        } else if (type == double.class) {
            return Double.longBitsToDouble(random.nextLong());
        }
        throw new IllegalStateException(setter + " takes a " + type);
    }

    private long longValue() {
        return random.nextInt(3) == 0 ? random.nextInt(50) : LONGS[random.nextInt(LONGS.length)];
    }

    private String text(String setter) {
        if (setter.equals("setTopic") && random.nextInt(5) > 0) {
            return Attack.topic(random.nextInt(Attack.TOPICS));
        } else if (setter.equals("setSubscription") || setter.equals("setInitialSubscriptionName")) {
            return "s" + random.nextInt(4);
        }
        return switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "z".repeat(3_000);
            case 2 -> "persistent://a//b/c/d";
            case 3 -> "\u0000\uffff\ud83d\ude00";
            default -> "name-" + random.nextInt(5);
        };
    }

    private List<Method> setters(Class<?> type) {
        return setters.computeIfAbsent(type, HostileCommands::settersOf);
    }

    private static List<Method> settersOf(Class<?> type) {
        List<Method> found = new ArrayList<>(Stream.of(type.getDeclaredMethods())
                .filter(m -> m.getName().startsWith("set") || m.getName().startsWith("add"))
                .filter(m -> !m.getName().startsWith("addAll") && m.getParameterCount() <= 1)
                .filter(m -> m.getParameterCount() == 0
                        || !io.netty.buffer.ByteBuf.class.isAssignableFrom(m.getParameterTypes()[0]))
                .filter(m -> java.lang.reflect.Modifier.isPublic(m.getModifiers()))
                .toList());
        found.sort(Comparator.comparing(Method::toString));
        return List.copyOf(found);
    }

    private static Object call(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(method + " of " + target.getClass(), e);
        }
    }
}
