package io.millrace.streams.operator.substreams;

import io.millrace.streams.engine.failure.Verdict;
import io.millrace.streams.engine.segment.Step;
import io.millrace.streams.failure.SubstreamNotRunException;
import io.millrace.streams.failure.TooManySubstreamsException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Graph;
import io.millrace.streams.graph.GroupBySettings;
import io.millrace.streams.graph.GroupBySettings.AfterCancellation;
import io.millrace.streams.graph.NotUsed;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.graph.ThrowingFunction;
import io.millrace.streams.operator.LinearStage;
import io.millrace.streams.stage.GraphStageLogic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Emits a substream for each key, with the elements of that key in order. */
public final class GroupByStage<K, T, S> extends LinearStage<T, S> {
    private final GroupBySettings settings;
    private final ThrowingFunction<? super T, ? extends K> keys;

    private final BiFunction<K, Graph<SourceShape<T>, NotUsed>, S> toSubstream;

    /**
     * @param toSubstream makes of a key and a source what is emitted for them
     */
    public GroupByStage(
            GroupBySettings settings,
            ThrowingFunction<? super T, ? extends K> keys,
            BiFunction<K, Graph<SourceShape<T>, NotUsed>, S> toSubstream) {
        super("groupBy");
        this.settings = Objects.requireNonNull(settings, "settings");
        this.keys = Objects.requireNonNull(keys, "key");
        this.toSubstream = toSubstream;
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new GroupByLogic(inherited);
    }

    private final class GroupByLogic extends SplittingLogic<K, T, S> {
        private static final String EVICTION = "eviction";

        private final @Nullable Duration idleTimeout = settings.idleTimeout().orElse(null);
        /** With an idle timeout, the one that has waited longest for an element comes first. */
        private final Map<K, Substream> open = new LinkedHashMap<>(16, 0.75f, idleTimeout != null);

        private final Set<K> dropped = new HashSet<>();

        GroupByLogic(Attributes inherited) {
            super(GroupByStage.this, toSubstream, inherited);
        }

        @Override
        void route(T element) throws Exception {
            K key;
            try {
                key = Step.<K>required(keys.apply(element), "groupBy");
            } catch (Exception failure) {
                if (Verdict.dropsElement(inherited, failure)) {
                    goOn();
                    return;
                }
                throw failure;
            }
            Substream substream = open.get(key);
            if (substream != null) {
                touch(substream);
                give(substream, element);
            } else if (isClosed(out) || dropped.contains(key)) {
                goOn();
            } else if (open.size() + dropped.size() == settings.maxSubstreams()) {
                failStage(tooMany(key));
            } else {
                substream = new Substream(key);
                open.put(key, substream);
                touch(substream);
                open(substream, element);
            }
        }

        private TooManySubstreamsException tooMany(K key) {
            return new TooManySubstreamsException("key " + key + " would be one more than the "
                    + settings.maxSubstreams() + " substreams that groupBy may have; raise maxSubstreams, or let idle "
                    + "ones end by an idleTimeout"
                    + (dropped.isEmpty()
                            ? ""
                            : " (" + dropped.size() + " of them are cancelled and remembered, see AfterCancellation)"));
        }

        @Override
        void cancelled(Substream substream, @Nullable T held) throws Exception {
            open.remove(substream.key, substream);
            if (settings.afterCancellation() == AfterCancellation.DROP) {
                dropped.add(substream.key);
            } else if (held != null) {
                route(held);
            }
        }

        @Override
        Collection<Substream> open() {
            return open.values();
        }

        @Override
        @Nullable
        Throwable standstill() {
            int running = 0;
            int others = 0;
            for (Substream substream : open.values()) {
                if (substream.isRun()) {
                    running++;
                    if (!substream.isStarved()) {
                        return null;
                    }
                }
                others += substream.isUnsent() ? 0 : 1;
                if (idleTimeout != null && !substream.isHeld()) {
                    return null;
                }
            }
            boolean stands = others > 0 && (isHeldByOneNotRun() || others == open.size() - 1);
            return stands ? new SubstreamNotRunException(standstillOf(running)) : null;
        }

        private String standstillOf(int running) {
            return "groupBy has " + open.size() + " substreams, but only " + running
                    + " of them are run, and nobody has run the one of key " + heldKey() + " within " + patience()
                    + ", so that neither can go on; let downstream run all of them at once (mergeSubstreams() or a "
                    + "breadth of at least " + settings.maxSubstreams()
                    + "), or end substreams earlier (idleTimeout, take), or raise Attributes.subscriptionTimeout";
        }

        private void touch(Substream substream) {
            if (idleTimeout != null) {
                substream.lastNanos = nowNanos();
                if (!isTimerActive(EVICTION)) {
                    scheduleOnce(EVICTION, idleTimeout);
                }
            }
        }

        @Override
        public void onTimer(Object key) throws Exception {
            if (key == EVICTION && idleTimeout != null) {
                evict(idleTimeout);
            } else {
                super.onTimer(key);
            }
        }

        private void evict(Duration timeout) throws Exception {
            long now = nowNanos();
            Iterator<Substream> longestIdleFirst = open.values().iterator();
            while (longestIdleFirst.hasNext()) {
                Substream substream = longestIdleFirst.next();
                Duration left = timeout.minusNanos(now - substream.lastNanos);
                if (!left.isZero() && !left.isNegative()) {
                    scheduleOnce(EVICTION, left);
                    break;
                }
                if (substream.isHeld()) {
                    substream.lastNanos = now;
                } else {
                    longestIdleFirst.remove();
                    substream.complete();
                }
            }
            if (!open.isEmpty() && !isTimerActive(EVICTION)) {
                scheduleOnce(EVICTION, timeout);
            }
            goOn();
        }
    }
}
