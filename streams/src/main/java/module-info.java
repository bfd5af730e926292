/** The Millrace streaming library. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module io.millrace.streams {
    requires java.management;
    requires org.jctools.core.jdk11;
    requires static transitive org.jspecify;
    requires transitive org.reactivestreams;

    exports io.millrace.streams;
    exports io.millrace.streams.failure;
    exports io.millrace.streams.graph;
    exports io.millrace.streams.hub;
    exports io.millrace.streams.inspect;
    exports io.millrace.streams.stage;
    exports io.millrace.streams.schedule;
    exports io.millrace.streams.hub.stage to
            io.millrace.testkit,
            io.millrace.benchmarks;
}
