package io.millrace.compatibility.language;

import io.millrace.compatibility.scenario.Context;

/** A language that takes part in a conversation. */
interface Party {
    /** Does a verb with a kind of schema at a topic; {@code ok} and what was received, or {@code failed} and the class of the failure. */
    String ask(Context context, String verb, String kind, String topic) throws Exception;

    /** Ends what it started. */
    void end();
}
