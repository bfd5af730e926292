package io.millrace.broker.admin;

import io.millrace.broker.http.Pieces;
import io.millrace.broker.http.Request;
import io.millrace.broker.http.Response;
import io.millrace.broker.http.Routes;
import io.millrace.broker.namespace.Namespaces;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.admin.TopicStatsImpl;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all open topics by one request, as monitoring asks for them: a hundred topics a piece, so that neither the number
 * of topics nor a slow client makes the broker hold more than that.
 */
final class BrokerStatsPath {
    private static final int TOPICS_PER_PIECE = 100;

    private final Namespaces namespaces;
    private final StatsOfTopics stats;

    BrokerStatsPath(Namespaces namespaces, StatsOfTopics stats) {
        this.namespaces = namespaces;
        this.stats = stats;
    }

    void addTo(Routes routes) {
        routes.get(AdminApi.ROOT + "/broker-stats/topics", this::topics);
    }

    private CompletionStage<Response> topics(Request request) {
        return namespaces.openTopics().thenApply(open -> Response.json(new InPieces(open)));
    }

    /** In the order in which they are told: by namespace, there those that are stored first, by name. */
    private static List<List<TopicName>> groups(Set<TopicName> open) {
        List<TopicName> ordered = new ArrayList<>(open);
        ordered.sort(Comparator.comparing(TopicName::tenant)
                .thenComparing(TopicName::namespace)
                .thenComparing(TopicName::domain)
                .thenComparing(TopicName::local));
        List<List<TopicName>> groups = new ArrayList<>();
        for (int from = 0; from < ordered.size(); from += TOPICS_PER_PIECE) {
            groups.add(ordered.subList(from, Math.min(ordered.size(), from + TOPICS_PER_PIECE)));
        }
        return groups;
    }

    /** Asks for a group of topics when the client has taken the one before; those who open topics do no more than answer. */
    private final class InPieces implements Pieces {
        private final Set<TopicName> open;
        /** Null before the first. */
        private @Nullable Iterator<List<TopicName>> groups;

        private @Nullable BrokerStatsText text = new BrokerStatsText();

        InPieces(Set<TopicName> open) {
            this.open = open;
        }

        @Override
        public CompletionStage<@Nullable Piece> next() {
            BrokerStatsText writing = text;
            if (writing == null) {
                return CompletableFuture.completedFuture(null);
            }
            Iterator<List<TopicName>> left = groups == null ? groups(open).iterator() : groups;
            groups = left;
            if (!left.hasNext()) {
                text = null;
                return CompletableFuture.completedFuture(writing::end);
            }
            List<TopicName> group = left.next();
            return stats.gather(group).thenApply(gathered -> () -> piece(writing, group, gathered.stats()));
        }
    }

    /** A topic that is gone by now is left out. */
    private static byte[] piece(BrokerStatsText text, List<TopicName> group, Map<String, TopicStatsImpl> all) {
        for (TopicName name : group) {
            TopicStatsImpl each = all.get(name.full());
            if (each != null) {
                text.topic(name, each);
            }
        }
        return text.written();
    }
}
