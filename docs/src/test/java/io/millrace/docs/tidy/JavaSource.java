package io.millrace.docs.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
        return parseAll(List.of(file)).get(0);
    }

    /** Parses files, all with one compiler: making one takes longer than parsing a file. */
    public static List<JavaSource> parseAll(List<TextFile> files) {
        Map<URI, TextFile> byUri = files.stream().collect(Collectors.toMap(InMemory::uri, file -> file));
        List<InMemory> inputs = files.stream().map(InMemory::new).toList();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        JavacTask task = (JavacTask) compiler.getTask(null, null, problem -> {}, List.of("-proc:none"), null, inputs);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<JavaSource> sources = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                TextFile file = byUri.get(unit.getSourceFile().toUri());
                sources.add(new JavaSource(file, unit, positions));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sources;
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
        private final TextFile file;

        InMemory(TextFile file) {
            super(uri(file), Kind.SOURCE);
            this.file = file;
        }

        static URI uri(TextFile file) {
            return URI.create("string:///" + file.path());
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return file.text();
        }
    }
}
