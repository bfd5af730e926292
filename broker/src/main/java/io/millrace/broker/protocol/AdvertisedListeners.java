package io.millrace.broker.protocol;

import io.millrace.broker.setting.SettingValues;
import io.millrace.broker.setting.TextSetting;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Addresses of one broker in several networks, by name: a client that names one in its lookups is told that address.
 * Immutable.
 */
public final class AdvertisedListeners {
    private static final TextSetting LISTENERS = new TextSetting(
            "advertised-listeners",
            "",
            "name:pulsar://host:port with commas between them, each name once, or nothing",
            "Addresses of this broker in several networks, such as"
                    + " internal:pulsar://broker:6650,external:pulsar://127.0.0.1:49153. A client that names one of them is"
                    + " told that address; one that names none is told the advertised address, or, where that is empty, the"
                    + " first of these.");

    private static final Pattern LISTENER = Pattern.compile("([\\w.-]+):(pulsar://.+)");
    private static final AdvertisedListeners NONE = new AdvertisedListeners(Map.of());

    private final Map<String, String> addresses;

    private AdvertisedListeners(Map<String, String> addresses) {
        this.addresses = Collections.unmodifiableMap(addresses);
    }

    /** None: whatever a client names, there is one address. */
    public static AdvertisedListeners none() {
        return NONE;
    }

    /**
     * Reads them as a configuration file has them; empty for none.
     *
     * @throws IllegalArgumentException naming the setting and what is expected
     */
    public static AdvertisedListeners parse(String text) {
        if (text.isBlank()) {
            return NONE;
        }
        Map<String, String> addresses = new LinkedHashMap<>();
        for (String listener : text.split(",", -1)) {
            Matcher matcher = LISTENER.matcher(listener.strip());
            boolean isValid = matcher.matches() && ServiceAddress.hasHostAndPort(matcher.group(2));
            if (!isValid || addresses.put(matcher.group(1), matcher.group(2)) != null) {
                throw LISTENERS.refusal(text);
            }
        }
        return new AdvertisedListeners(addresses);
    }

    static AdvertisedListeners of(SettingValues values) {
        return parse(values.text(LISTENERS));
    }

    /** The address of that name, with its scheme; null if there is none. */
    public @Nullable String address(String name) {
        return addresses.get(name);
    }

    /** The address that was named first; null if there is none. */
    public @Nullable String first() {
        return addresses.isEmpty() ? null : addresses.values().iterator().next();
    }

    /**
     * The same with the one of that name before the others; none stay none.
     *
     * @throws IllegalArgumentException naming those there are, if it is none of them
     */
    public AdvertisedListeners withFirst(String name) {
        if (addresses.isEmpty()) {
            return this;
        }
        String first = addresses.get(name);
        if (first == null) {
            throw new IllegalArgumentException(
                    "the advertised listeners are " + String.join(", ", addresses.keySet()) + ": name one of them");
        }
        Map<String, String> ordered = new LinkedHashMap<>();
        ordered.put(name, first);
        addresses.forEach(ordered::putIfAbsent);
        return new AdvertisedListeners(ordered);
    }

    /** Their names in order. */
    public Set<String> names() {
        return addresses.keySet();
    }

    /** Their addresses in order. */
    public Collection<String> addresses() {
        return addresses.values();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AdvertisedListeners listeners && addresses.equals(listeners.addresses);
    }

    @Override
    public int hashCode() {
        return addresses.hashCode();
    }

    @Override
    public String toString() {
        return addresses.toString();
    }
}
