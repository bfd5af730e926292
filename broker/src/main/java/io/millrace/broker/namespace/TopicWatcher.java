package io.millrace.broker.namespace;

import java.util.List;

/** Who wants to hear of topics that are made and deleted. The object's identity identifies it. */
public interface TopicWatcher {
    /**
     * The list has changed; called by the namespaces' stage, one call at a time, and must not block.
     *
     * @param hash of the whole list as it is now
     */
    void changed(List<String> made, List<String> deleted, String hash);
}
