package io.millrace.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of the jar this runs from, and of the Java that runs it. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "millrace " + (version == null ? "(from classes)" : version), "Java " + Runtime.version(),
        };
    }
}
