package io.millrace.broker.admin;

import io.millrace.avro.jackson.databind.JsonNode;
import io.millrace.avro.jackson.databind.node.JsonNodeFactory;
import io.millrace.avro.jackson.databind.node.ObjectNode;
import io.millrace.broker.http.HttpRefusal;
import io.millrace.wire.admin.BacklogQuotaImpl;
import io.millrace.wire.admin.PersistencePolicies;
import io.millrace.wire.admin.RetentionPolicies;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** How a value of a policy is checked, stored and told again. */
interface PolicyForm {
    int BAD_REQUEST = 400;
    int PRECONDITION_FAILED = 412;

    /**
     * The value as it is stored; the name of the policy is for messages.
     *
     * @throws HttpRefusal if it is not valid
     */
    String stored(String name, JsonNode value);

    /** A stored value as tools are told it. */
    default JsonNode told(String stored) {
        return Json.parse(stored);
    }

    /** What a request without a value means; null for that the policy is removed. */
    default @Nullable JsonNode missing() {
        return null;
    }

    /** A whole number of 32 bits that is not negative; none removes the policy. */
    static PolicyForm numberOrNone() {
        return numberUpTo(Integer.MAX_VALUE);
    }

    /** The same that must be given. */
    static PolicyForm number() {
        return required(numberOrNone());
    }

    /** A whole number of 64 bits that is not negative and must be given. */
    static PolicyForm longNumber() {
        return required(numberUpTo(Long.MAX_VALUE));
    }

    private static PolicyForm numberUpTo(long most) {
        return (name, given) -> {
            JsonNode value = Json.scalar(given);
            if (!value.isIntegralNumber() || !value.canConvertToLong()) {
                throw new HttpRefusal(BAD_REQUEST, "the body must be a whole number, but is " + value);
            }
            if (value.longValue() < 0) {
                throw new HttpRefusal(PRECONDITION_FAILED, name + " must be 0 or more");
            }
            if (value.longValue() > most) {
                throw new HttpRefusal(PRECONDITION_FAILED, name + " must be at most " + most + ", but is " + value);
            }
            return value.toString();
        };
    }

    /** The same with a limit, with these words for one beyond it or below 0. */
    static PolicyForm numberUpTo(long most, String refusal) {
        return required((name, given) -> {
            JsonNode value = Json.scalar(given);
            if (value.isIntegralNumber() && value.canConvertToLong() && value.longValue() > most) {
                throw new HttpRefusal(PRECONDITION_FAILED, refusal);
            }
            return numberOrNone(refusal).stored(name, value);
        });
    }

    private static PolicyForm required(PolicyForm form) {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                return form.stored(name, value);
            }

            @Override
            public JsonNode missing() {
                throw new HttpRefusal(BAD_REQUEST, "The request entity cannot be empty.");
            }
        };
    }

    /** A whole number of any sign; none removes the policy. */
    static PolicyForm anyNumberOrNone() {
        return (name, given) -> {
            JsonNode value = Json.scalar(given);
            if (!value.isIntegralNumber() || !value.canConvertToLong()) {
                throw new HttpRefusal(BAD_REQUEST, "the body must be a whole number, but is " + value);
            }
            return value.toString();
        };
    }

    /** A whole number that is not negative, with these words for one that is; none removes the policy. */
    static PolicyForm numberOrNone(String refusal) {
        return (name, given) -> {
            JsonNode value = Json.scalar(given);
            if (value.isIntegralNumber() && value.canConvertToLong() && value.longValue() < 0) {
                throw new HttpRefusal(PRECONDITION_FAILED, refusal);
            }
            return numberOrNone().stored(name, value);
        };
    }

    /** An object that is told as it was given. */
    static PolicyForm anyObject() {
        return (name, value) -> {
            if (!value.isObject()) {
                throw new HttpRefusal(BAD_REQUEST, "the body must be an object, but is " + value);
            }
            return value.toString();
        };
    }

    /** True or false. */
    static PolicyForm flag() {
        return (name, given) -> {
            JsonNode value = Json.scalar(given);
            if (!value.isBoolean()) {
                throw new HttpRefusal(BAD_REQUEST, "the body must be true or false, but is " + value);
            }
            return value.toString();
        };
    }

    /** True once a request comes, which has no value. */
    static PolicyForm mark() {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                return flag().stored(name, value);
            }

            @Override
            public JsonNode missing() {
                return JsonNodeFactory.instance.booleanNode(true);
            }
        };
    }

    /** One of these words, stored as it is. */
    static PolicyForm word(List<String> words) {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                if (!words.contains(value.asText())) {
                    throw new HttpRefusal(
                            BAD_REQUEST, "the body must be one of " + String.join(", ", words) + ", but is " + value);
                }
                return value.asText();
            }

            @Override
            public JsonNode told(String stored) {
                return JsonNodeFactory.instance.textNode(stored);
            }
        };
    }

    /** Some of these words, stored with commas between. */
    static PolicyForm words(List<String> words) {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                if (!value.isArray()) {
                    throw new HttpRefusal(BAD_REQUEST, "the body must be a list, but is " + value);
                }
                List<String> given = StreamSupport.stream(value.spliterator(), false)
                        .map(JsonNode::asText)
                        .distinct()
                        .toList();
                if (!words.containsAll(given)) {
                    throw new HttpRefusal(
                            BAD_REQUEST, "the body must be some of " + String.join(", ", words) + ", but is " + value);
                }
                return String.join(",", given);
            }

            @Override
            public JsonNode told(String stored) {
                return Json.parse(Json.text(stored.isEmpty() ? List.of() : List.of(stored.split(","))));
            }
        };
    }

    /** An object of that class of Pulsar's, told with the properties that the class gives it. */
    static <T> PolicyForm object(Class<T> type, Consumer<T> check) {
        return (name, value) -> {
            T read = Json.convert(value, type);
            check.accept(read);
            return Json.text(read);
        };
    }

    /** An object of that class of Pulsar's, of which these properties are stored, with commas between. */
    static <T> PolicyForm parts(Class<T> type, Consumer<T> check, List<String> properties) {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                T read = Json.convert(value, type);
                check.accept(read);
                JsonNode told = Json.parse(Json.text(read));
                return properties.stream()
                        .map(property -> told.path(property).asText())
                        .collect(Collectors.joining(","));
            }

            @Override
            public JsonNode told(String stored) {
                ObjectNode told = JsonNodeFactory.instance.objectNode();
                String[] values = stored.split(",", -1);
                for (int i = 0; i < properties.size() && i < values.length; i++) {
                    told.set(properties.get(i), part(values[i]));
                }
                return told;
            }
        };
    }

    private static JsonNode part(String text) {
        boolean isJson = text.equals("true") || text.equals("false") || text.matches("-?\\d+");
        return isJson ? Json.parse(text) : JsonNodeFactory.instance.textNode(text);
    }

    /** An object of which one property, true or false, is all that is stored. */
    static PolicyForm objectOf(String property) {
        return new PolicyForm() {
            @Override
            public String stored(String name, JsonNode value) {
                if (!value.path(property).isBoolean()) {
                    throw new HttpRefusal(
                            BAD_REQUEST, "the body must have " + property + ", true or false, but is " + value);
                }
                return value.path(property).toString();
            }

            @Override
            public JsonNode told(String stored) {
                return JsonNodeFactory.instance.objectNode().put(property, Boolean.parseBoolean(stored));
            }
        };
    }

    /** Refuses what cannot be kept: as with Pulsar, a limit of 0 beside another that is none. */
    static void requireValid(RetentionPolicies retention) {
        int minutes = retention.getRetentionTimeInMinutes();
        long megabytes = retention.getRetentionSizeInMB();
        if (minutes < -1 || megabytes < -1) {
            throw new HttpRefusal(
                    BAD_REQUEST,
                    "Invalid retention policy: " + (minutes < -1 ? "time" : "size") + " limit must be >= -1");
        }
        if ((minutes == 0) != (megabytes == 0)) {
            throw new HttpRefusal(
                    BAD_REQUEST,
                    "Invalid retention policy: a limit of 0 turns retention off, which needs both limits to be 0; -1 is"
                            + " no limit");
        }
    }

    /** Refuses numbers that contradict each other. */
    static void requireValid(PersistencePolicies copies) {
        boolean isValid = copies.getBookkeeperEnsemble() >= copies.getBookkeeperWriteQuorum()
                && copies.getBookkeeperWriteQuorum() >= copies.getBookkeeperAckQuorum()
                && copies.getBookkeeperAckQuorum() >= 0;
        if (!isValid) {
            throw new HttpRefusal(
                    BAD_REQUEST,
                    "Bookkeeper Ensemble (" + copies.getBookkeeperEnsemble() + ") >= WriteQuorum ("
                            + copies.getBookkeeperWriteQuorum() + ") >= AckQuorum (" + copies.getBookkeeperAckQuorum()
                            + ")");
        }
    }

    /** Refuses a quota that does not say what happens beyond it. */
    static void requireValid(BacklogQuotaImpl quota) {
        if (quota.getPolicy() == null) {
            throw new HttpRefusal(BAD_REQUEST, "the backlog quota is not valid: the attribute policy cannot be null");
        }
    }
}
