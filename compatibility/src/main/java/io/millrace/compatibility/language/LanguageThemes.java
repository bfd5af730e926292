package io.millrace.compatibility.language;

import java.util.List;

/** The themes of programs in other languages, in the order of the page. */
public final class LanguageThemes {
    private LanguageThemes() {}

    /** All of them. */
    public static List<LanguageTheme> all() {
        return List.of(
                new LanguageTheme(
                        "python-producers",
                        "keys, properties, times, batches, compression, delays, access modes, names",
                        Language.PYTHON),
                new LanguageTheme(
                        "python-consumers",
                        "every type of subscription, acknowledgements, redelivery, dead letters, patterns",
                        Language.PYTHON),
                new LanguageTheme("python-places", "readers, seeks by id and time, table views", Language.PYTHON),
                new LanguageTheme(
                        "python-partitions", "partitioned topics with every type of subscription", Language.PYTHON),
                new LanguageTheme(
                        "python-schemas",
                        "every type of schema, versions, strategies, readers, views",
                        Language.PYTHON),
                new LanguageTheme(
                        "go-producers",
                        "keys, properties, times, batches, chunks, compression, delays, access modes, transactions",
                        Language.GO),
                new LanguageTheme(
                        "go-consumers",
                        "every type of subscription, acknowledgements, redelivery, dead letters, retries, patterns",
                        Language.GO),
                new LanguageTheme("go-places", "readers, seeks by id and time, table views", Language.GO),
                new LanguageTheme("go-partitions", "partitioned topics with every type of subscription", Language.GO),
                new LanguageTheme(
                        "go-schemas", "every type of schema, versions, strategies, readers, views", Language.GO),
                new LanguageTheme(
                        "go-admin", "tenants, namespaces, topics, subscriptions, policies, schemas", Language.GO));
    }
}
