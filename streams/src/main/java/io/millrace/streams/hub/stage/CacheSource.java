package io.millrace.streams.hub.stage;

import io.millrace.streams.engine.island.StageContext;
import io.millrace.streams.engine.island.StageWakeUp;
import io.millrace.streams.failure.StreamException;
import io.millrace.streams.graph.Attributes;
import io.millrace.streams.graph.Outlet;
import io.millrace.streams.graph.SourceShape;
import io.millrace.streams.stage.GraphStage;
import io.millrace.streams.stage.GraphStageLogic;
import io.millrace.streams.stage.OutHandler;
import java.util.function.Consumer;

/** Emits what the first run of it has made another source emit. */
public final class CacheSource<T> extends GraphStage<SourceShape<T>> {
    private final Outlet<T> out = Outlet.create("cache.out");
    private final SourceShape<T> shape = SourceShape.of(out);
    private final CachedElements<T> cached = new CachedElements<>();
    private final Consumer<CacheSink<T>> begin;

    /** @param begin runs the other source into this sink; called once */
    public CacheSource(Consumer<CacheSink<T>> begin) {
        this.begin = begin;
    }

    @Override
    public SourceShape<T> shape() {
        return shape;
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public GraphStageLogic createLogic(Attributes inherited) {
        return new Logic();
    }

    private final class Logic extends GraphStageLogic implements OutHandler {
        private final CachedElements<T>.Reader reader = cached.new Reader();
        private final StageWakeUp wake = StageWakeUp.of(this, woken -> woken());
        private boolean isWaiting;

        Logic() {
            super(shape);
            setHandler(out, this);
        }

        @Override
        public void preStart() {
            if (cached.claim()) {
                begin();
            }
        }

        /** Begins the one run; where that fails, no other will, and every reader is told. */
        private void begin() {
            try {
                begin.accept(new CacheSink<>(cached));
            } catch (StreamException notMade) {
                endAll(StageContext.of(this).reportNotMade(notMade));
            } catch (Throwable failure) {
                endAll(failure);
            }
        }

        private void endAll(Throwable failure) {
            cached.end(failure);
            failStage(failure);
        }

        @Override
        public void onPull() {
            if (reader.hasNext()) {
                push(out, reader.next());
            }
            finishOrWait();
        }

        /** Once everything was taken, also for the end, which needs no demand; what has come since it was looked for wakes at once. */
        private void finishOrWait() {
            CachedElements.End end = reader.end();
            if (end != null) {
                finish(end);
            } else if (!isWaiting && (isAvailable(out) || !reader.hasNext())) {
                isWaiting = true;
                if (!reader.waitForMore(wake)) {
                    wake.run();
                }
            }
        }

        @Override
        public void postStop() {
            reader.leave();
        }

        private void finish(CachedElements.End end) {
            if (end.failure() == null) {
                completeStage();
            } else {
                StageContext.of(this).passFailure(end.failure());
            }
        }

        private void woken() {
            isWaiting = false;
            if (isAvailable(out)) {
                onPull();
            } else {
                finishOrWait();
            }
        }
    }
}
