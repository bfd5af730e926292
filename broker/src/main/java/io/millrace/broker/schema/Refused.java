package io.millrace.broker.schema;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.dispatch.ErrorKind;
import java.util.regex.Pattern;

/** What refusals of schemas say: the client knows them by their kind, people by the text. */
final class Refused {
    private static final int MAX_QUOTED_CHARS = 200;
    /** What a parser's message begins with where it wraps another's: people need the words alone. */
    private static final Pattern FROM_A_CLASS = Pattern.compile("^[\\w.$]+Exception: ");

    private Refused() {}

    /** The definition is not one of its type. */
    static BrokerException invalid(SchemaType type, String why) {
        return new BrokerException(
                ErrorKind.INVALID_SCHEMA, "Invalid schema: the definition is not one of type " + type + ": " + why);
    }

    /** The same for what a parser threw. */
    static BrokerException invalid(SchemaType type, Throwable cause) {
        return new BrokerException(
                ErrorKind.INVALID_SCHEMA,
                "Invalid schema: the definition is not one of type " + type + ": "
                        + quoted(FROM_A_CLASS
                                .matcher(String.valueOf(cause.getMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse(""))
                                .replaceFirst("")),
                cause);
    }

    /** The schema may not follow another. */
    static BrokerException incompatible(String why) {
        return new BrokerException(ErrorKind.INCOMPATIBLE_SCHEMA, "Incompatible schema: " + why);
    }

    /** A client's text, short enough to stand in a message. */
    static String quoted(String text) {
        return text.length() <= MAX_QUOTED_CHARS ? text : text.substring(0, MAX_QUOTED_CHARS) + "...";
    }
}
