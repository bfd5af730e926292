package io.millrace.streams.engine.island;

import io.millrace.streams.FullHeap;
import io.millrace.streams.stage.MailboxLimit;
import org.jspecify.annotations.Nullable;

/** Sends messages for which there is no memory into a mailbox of few places, and then as many as it holds. */
final class FullHeapMailboxProgram {
    private static final int PLACES = 2;
    private static final String MESSAGE = "a message";

    private FullHeapMailboxProgram() {}

    public static void main(String[] arguments) {
        fillPlaces(mailbox(), MESSAGE);
        refusesAndHolds(null); // needs a queue
        refusesAndHolds(MESSAGE); // needs an envelope
    }

    /** What its lines name has been used before, as to find it would take memory. */
    private static void refusesAndHolds(@Nullable Object sender) {
        Mailbox<String> mailbox = mailbox();
        FullHeap.fill();
        for (int i = 0; i < PLACES; i++) {
            boolean isRefused = false;
            try {
                mailbox.invoke(MESSAGE, sender);
            } catch (OutOfMemoryError full) {
                isRefused = true;
            }
            require(isRefused);
        }
        FullHeap.empty();
        fillPlaces(mailbox, sender);
    }

    private static void fillPlaces(Mailbox<String> mailbox, @Nullable Object sender) {
        for (int i = 0; i < PLACES; i++) {
            mailbox.invoke(MESSAGE, sender);
        }
    }

    @SuppressWarnings("NullAway") // before its stage has started it needs none
    private static Mailbox<String> mailbox() {
        return new Mailbox<>(null, message -> {}, MailboxLimit.failing(PLACES));
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new AssertionError("there was memory");
        }
    }
}
