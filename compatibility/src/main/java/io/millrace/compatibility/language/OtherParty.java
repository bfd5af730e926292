package io.millrace.compatibility.language;

import io.millrace.compatibility.scenario.Context;
import java.io.IOException;

/** A process of another language. */
record OtherParty(Speaker speaker) implements Party {
    @Override
    public String ask(Context context, String verb, String kind, String topic) throws IOException {
        return speaker.ask(verb, kind, topic);
    }

    @Override
    public void end() {
        speaker.close();
    }
}
