package io.millrace.docs.tidy;

/** One text file of the repository: its path from the root, with forward slashes, and its content. */
public record TextFile(String path, String text) {
    public boolean isJava() {
        return path.endsWith(".java");
    }

    public boolean isMarkdown() {
        return path.endsWith(".md");
    }

    /** Whether it is Java of a test tree. */
    public boolean isTest() {
        return path.contains("src/test/java/");
    }

    /** Whether it is Java of a main tree. */
    public boolean isMain() {
        return path.contains("src/main/java/") && !path.startsWith("examples/");
    }

    /** The Maven module it belongs to, which is the first folder of its path. */
    public String module() {
        return path.contains("/") ? path.substring(0, path.indexOf('/')) : "";
    }

    /** The number, from 1, of the line that holds the character at this offset. */
    public long lineOf(long offset) {
        return 1 + text.chars().limit(offset).filter(c -> c == '\n').count();
    }
}
