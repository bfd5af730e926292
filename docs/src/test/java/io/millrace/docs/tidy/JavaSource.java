package io.millrace.docs.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java file with its syntax tree, and its text told apart into code and comments. */
public final class JavaSource {
    private final TextFile file;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final CommentSplit split;

    private JavaSource(TextFile file, CompilationUnitTree unit, SourcePositions positions) {
        this.file = file;
        this.unit = unit;
        this.positions = positions;
        this.split = CommentSplit.of(file.text());
    }

    /** Parses one file without resolving any name. */
    public static JavaSource parse(TextFile file) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask)
                compiler.getTask(null, null, problem -> {}, List.of("-proc:none"), null, List.of(new InMemory(file)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            return new JavaSource(file, unit, Trees.instance(task).getSourcePositions());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public TextFile file() {
        return file;
    }

    public CompilationUnitTree unit() {
        return unit;
    }

    /** The text with every comment blanked, offsets unchanged. */
    public String code() {
        return split.code();
    }

    /** The text with everything but comments blanked, offsets unchanged. */
    public String comments() {
        return split.comments();
    }

    public String packageName() {
        return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
    }

    /** Where a tree starts, as a character offset. */
    public long start(Tree tree) {
        return positions.getStartPosition(unit, tree);
    }

    /** The line, from 1, where a tree starts. */
    public long line(Tree tree) {
        return file.lineOf(Math.max(0, start(tree)));
    }

    /** The code of a tree, comments blanked. */
    public String text(Tree tree) {
        return code().substring((int) start(tree), (int) positions.getEndPosition(unit, tree));
    }

    /** Lines of a tree that hold code. */
    public long codeLines(Tree tree) {
        return codeLines(text(tree));
    }

    /** Lines of the file that hold code. */
    public long codeLines() {
        return codeLines(code());
    }

    private static long codeLines(String code) {
        return code.lines().filter(line -> !line.isBlank()).count();
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(TextFile file) {
            super(URI.create("string:///" + file.path()), Kind.SOURCE);
            this.text = file.text();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
