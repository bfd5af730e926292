package io.millrace.streams.engine.segment;

/** What origins have in common that can take each other's place before the same steps. Immutable. */
public final class OriginKind {
    private final OriginStage<?> stage;
    private final boolean plain;
    private final boolean makesElements;

    public OriginKind(OriginStage<?> stage) {
        this.stage = stage;
        plain = stage.isPlain();
        makesElements = stage.origin().makesElements();
    }

    /** Whether that one is of this kind. */
    public boolean isOf(OriginStage<?> other) {
        return other.getClass() == stage.getClass()
                && other.isPlain() == plain
                && other.origin().makesElements() == makesElements;
    }

    /** Whether that one, which is of this kind, gives the same. */
    public boolean isSame(OriginStage<?> other) {
        return other.name().equals(stage.name()) && StepIdentity.isSame(stage.origin(), other.origin());
    }
}
