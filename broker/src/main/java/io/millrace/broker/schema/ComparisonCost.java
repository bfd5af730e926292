package io.millrace.broker.schema;

import io.millrace.avro.Schema;
import io.millrace.avro.Schema.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What Avro's comparison of two schemas will keep and look at, counted by walking through them as it does, without what it
 * makes on the way: records can be paired with each other in many more ways than there are records, and types are gone
 * through again at each place that refers to them.
 */
final class ComparisonCost {
    /** Steps that are kept, of about a hundred bytes. */
    private static final long MAX_KEPT = 400_000;
    /** Things that are looked at, of about a nanosecond. */
    private static final long MAX_LOOKS = 200_000_000;
    /** Looks of a step through types, which is longer than one at a symbol. */
    private static final int LOOKS_PER_STEP = 20;
    /** Symbols of an enum that are kept in the room of one step. */
    private static final int SYMBOLS_PER_STEP = 8;

    private final Set<Pair> kept = new HashSet<>();
    private long steps;
    private long looks;

    private ComparisonCost() {}

    /** Two types, each compared by identity. */
    private record Pair(Schema writer, Schema reader) {
        @Override
        @SuppressWarnings("ReferenceEquality") // equality of schemas goes through all of them
        public boolean equals(Object other) {
            return other instanceof Pair pair && pair.writer == writer && pair.reader == reader;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(writer) * 31 + System.identityHashCode(reader);
        }
    }

    /** Refuses a comparison that takes too much; a StackOverflowError if the types lie too deep for it. */
    static void requireModest(Schema writer, Schema reader) {
        new ComparisonCost().walk(Schema.applyAliases(writer, reader), reader);
    }

    private void walk(Schema writer, Schema reader) {
        keep(1);
        if (writer.isUnion()) {
            boolean isSame = isSame(writer, reader, new HashSet<>());
            List<Schema> types = writer.getTypes();
            for (int i = 0; i < types.size(); i++) {
                walk(types.get(i), isSame ? reader.getTypes().get(i) : reader);
            }
        } else if (writer.getType() == reader.getType()) {
            walkAlike(writer, reader);
        } else if (reader.isUnion()) {
            walkBranches(writer, reader);
        }
    }

    private void walkAlike(Schema writer, Schema reader) {
        switch (writer.getType()) {
            case RECORD -> walkRecord(writer, reader);
            case ARRAY -> walk(writer.getElementType(), reader.getElementType());
            case MAP -> walk(writer.getValueType(), reader.getValueType());
            case ENUM -> {
                long symbols = writer.getEnumSymbols().size();
                keep(symbols / SYMBOLS_PER_STEP);
                look(symbols * reader.getEnumSymbols().size());
            }
            default -> {}
        }
    }

    private void walkRecord(Schema writer, Schema reader) {
        if (!kept.add(new Pair(writer, reader))) {
            return;
        }
        look((long) LOOKS_PER_STEP * reader.getFields().size());
        for (Field field : writer.getFields()) {
            Field read = reader.getField(field.name());
            if (read == null) {
                keep(1);
            } else {
                walk(field.schema(), read.schema());
            }
        }
    }

    /** Records are compared with each branch that is one, until one has the same name. */
    private void walkBranches(Schema writer, Schema reader) {
        for (Schema branch : reader.getTypes()) {
            look(LOOKS_PER_STEP);
            if (branch.getType() == writer.getType()) {
                walk(writer, branch);
                if (writer.getType() != Schema.Type.RECORD
                        || writer.getFullName().equals(branch.getFullName())) {
                    return;
                }
            }
        }
    }

    /** Whether two types are the same, as Avro decides it for branches of unions at each union again. */
    private boolean isSame(Schema writer, Schema reader, Set<Pair> seen) {
        look(LOOKS_PER_STEP);
        if (writer.getType() != reader.getType()) {
            return false;
        }
        return switch (writer.getType()) {
            case ARRAY -> isSame(writer.getElementType(), reader.getElementType(), seen);
            case MAP -> isSame(writer.getValueType(), reader.getValueType(), seen);
            case UNION -> areSame(writer.getTypes(), reader.getTypes(), seen);
            case RECORD ->
                isNamedAlike(writer, reader)
                        && (!seen.add(new Pair(writer, reader))
                                || (names(writer).equals(names(reader))
                                        && areSame(types(writer), types(reader), seen)));
            case FIXED -> isNamedAlike(writer, reader) && writer.getFixedSize() == reader.getFixedSize();
            case ENUM -> {
                look(writer.getEnumSymbols().size());
                yield isNamedAlike(writer, reader) && writer.getEnumSymbols().equals(reader.getEnumSymbols());
            }
            default -> true;
        };
    }

    private boolean areSame(List<Schema> writers, List<Schema> readers, Set<Pair> seen) {
        boolean areSame = writers.size() == readers.size();
        for (int i = 0; areSame && i < writers.size(); i++) {
            areSame = isSame(writers.get(i), readers.get(i), seen);
        }
        return areSame;
    }

    private static boolean isNamedAlike(Schema writer, Schema reader) {
        return writer.getName().equals(reader.getName());
    }

    private List<String> names(Schema schema) {
        look((long) LOOKS_PER_STEP * schema.getFields().size());
        return schema.getFields().stream().map(Field::name).toList();
    }

    private List<Schema> types(Schema schema) {
        look((long) LOOKS_PER_STEP * schema.getFields().size());
        return schema.getFields().stream().map(Field::schema).toList();
    }

    private void keep(long more) {
        steps += more;
        look(more);
        if (steps > MAX_KEPT) {
            throw Refused.incompatible("the types of the schemas refer to each other in too many ways to be compared");
        }
    }

    private void look(long more) {
        looks += more;
        if (looks > MAX_LOOKS) {
            throw Refused.incompatible("the types of the schemas are referred to too often to be compared");
        }
    }
}
