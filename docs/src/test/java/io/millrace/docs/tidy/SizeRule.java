package io.millrace.docs.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;

/** Lines of code per file and per method, parameters, and how deep control structures nest. */
final class SizeRule implements JavaRule {
    static final int MAIN_FILE_LINES = 400;
    static final int TEST_FILE_LINES = 500;
    static final int METHOD_LINES = 70;
    static final int PARAMETERS = 5;
    static final int NESTING = 3;

    @Override
    public List<Finding> check(JavaSource source) {
        List<Finding> findings = new ArrayList<>();
        int limit = source.file().isTest() ? TEST_FILE_LINES : MAIN_FILE_LINES;
        long lines = source.codeLines();
        if (lines > limit) {
            findings.add(finding(source, 1, source.file().path(), lines + " lines of code, at most " + limit));
        }
        new Methods(source, findings).scan(source.unit(), "");
        return findings;
    }

    private static Finding finding(JavaSource source, long line, String subject, String problem) {
        return new Finding(source.file().path(), line, subject, problem);
    }

    private static final class Methods extends TreeScanner<Void, String> {
        private final JavaSource source;
        private final List<Finding> findings;

        Methods(JavaSource source, List<Finding> findings) {
            this.source = source;
            this.findings = findings;
        }

        @Override
        public Void visitClass(ClassTree type, String outer) {
            return super.visitClass(type, type.getSimpleName().toString());
        }

        @Override
        public Void visitMethod(MethodTree method, String type) {
            String name = method.getName().contentEquals("<init>")
                    ? type
                    : method.getName().toString();
            String subject = type + "." + name;
            atMost(method, subject, source.codeLines(method), METHOD_LINES, "lines of code");
            atMost(method, subject, parameters(method), PARAMETERS, "parameters");
            atMost(method, subject, Nesting.of(method), NESTING, "levels of nesting");
            return super.visitMethod(method, type);
        }

        /** A compact constructor has none: its record's components are data, not an argument list. */
        private int parameters(MethodTree method) {
            String head = source.text(method).replaceFirst("(?s)\\{.*", "");
            return head.contains("(") ? method.getParameters().size() : 0;
        }

        private void atMost(MethodTree method, String subject, long actual, long limit, String unit) {
            if (actual > limit) {
                String problem = actual + " " + unit + ", at most " + limit;
                findings.add(finding(source, source.line(method), subject, problem));
            }
        }
    }
}
