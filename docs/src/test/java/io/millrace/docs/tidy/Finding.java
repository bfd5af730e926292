package io.millrace.docs.tidy;

/** One breach of a rule: the file, the line from 1, the rule's subject (a file or a method), and what is wrong. */
public record Finding(String path, long line, String subject, String problem) {
    @Override
    public String toString() {
        return path + ":" + line + " " + subject + ": " + problem;
    }
}
