package io.millrace.streams;

import java.util.List;

/** What a runtime was running at one moment; finished streams are not in it. */
public record RuntimeSnapshot(List<StreamSnapshot> streams) {}
