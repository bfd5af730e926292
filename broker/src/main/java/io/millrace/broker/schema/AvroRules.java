package io.millrace.broker.schema;

import io.millrace.avro.AvroRuntimeException;
import io.millrace.avro.NameValidator;
import io.millrace.avro.Resolver;
import io.millrace.avro.Schema;
import io.millrace.broker.dispatch.BrokerException;
import org.jspecify.annotations.Nullable;

/**
 * The rules of Avro, by its own library, whose classes are loaded with this one. Functions for any thread; they may take
 * seconds.
 */
final class AvroRules {
    private AvroRules() {}

    /** A definition that Avro takes, and what it weighs when it is compared. */
    record Parsed(Schema schema, SchemaWeight weight) {}

    /**
     * Reads a definition as Pulsar does: names may have letters of any script and dollar signs, defaults are not looked
     * at.
     *
     * @throws BrokerException if it is none
     */
    static Parsed parse(SchemaType type, byte[] data) {
        String text = JsonText.of(type, data);
        AvroNames.requireModest(type, text);
        Schema schema;
        try {
            schema = new Schema.Parser(new Names()).setValidateDefaults(false).parse(text);
        } catch (RuntimeException e) {
            throw Refused.invalid(type, e);
        } catch (StackOverflowError e) {
            throw Refused.invalid(type, "its types lie too deep within each other");
        }
        if (type == SchemaType.AVRO && schema.getType() == Schema.Type.UNION) {
            throw Refused.invalid(
                    type, "it is a union, which clients cannot use as a whole: make it a field of a record");
        }
        return new Parsed(schema, SchemaWeight.of(type, schema));
    }

    /** Whether both are one schema, in whatever words. */
    static boolean areSame(Parsed one, Parsed other) {
        try {
            return one.schema.equals(other.schema);
        } catch (StackOverflowError e) {
            throw tooDeep();
        }
    }

    private static BrokerException tooDeep() {
        return Refused.incompatible("the schemas refer to each other too deep to be compared: make them flatter");
    }

    /**
     * Why the reader cannot read all that the writer writes, found in the steps that Avro's own readers would take; null if it
     * can.
     *
     * @param newReads whether the new schema is the reader, rather than the writer
     */
    static @Nullable AvroChange obstacle(Parsed reader, Parsed writer, boolean newReads) {
        reader.weight.requireComparable(writer.weight);
        try {
            ComparisonCost.requireModest(writer.schema, reader.schema);
            return AvroChange.find(Resolver.resolve(writer.schema, reader.schema, new CheckedDefaults()), newReads);
        } catch (StackOverflowError e) {
            throw tooDeep();
        } catch (AvroRuntimeException e) {
            throw Refused.incompatible("a field's default is not of its type ("
                    + Refused.quoted(String.valueOf(e.getMessage())) + "): change the default");
        }
    }

    /** Letters of any script, digits, underscores and dollar signs, which names of nested Java classes have. */
    private static final class Names implements NameValidator {
        @Override
        public Result validate(@Nullable String name) {
            if (name == null || name.isEmpty()) {
                return new Result("a name is empty");
            }
            for (int i = 0; i < name.length(); i++) {
                char next = name.charAt(i);
                boolean isValid = Character.isLetter(next)
                        || next == '_'
                        || next == '$'
                        || (i > 0 && Character.isLetterOrDigit(next));
                if (!isValid) {
                    return new Result("a name may have letters, digits, _ and $, and no digit first: '"
                            + Refused.quoted(name) + "'");
                }
            }
            return OK;
        }
    }
}
