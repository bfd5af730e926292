package io.millrace.docs.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Modifier;

/** Lines of code per file and per method, parameters and components of records, and how deep control structures nest. */
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
            String name = type.getSimpleName().toString();
            if (type.getKind() == Tree.Kind.RECORD) {
                String subject = outer.isEmpty() ? name : outer + "." + name;
                atMost(type, subject, components(type), PARAMETERS, "components");
            }
            return super.visitClass(type, name);
        }

        /** A record has no other fields than static ones. */
        private static long components(ClassTree type) {
            return type.getMembers().stream()
                    .filter(member -> member instanceof VariableTree field
                            && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                    .count();
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

        /** A compact constructor has none of its own: its record's components are counted. */
        private int parameters(MethodTree method) {
            String head = source.text(method).replaceFirst("(?s)\\{.*", "");
            return head.contains("(") ? method.getParameters().size() : 0;
        }

        private void atMost(Tree tree, String subject, long actual, long limit, String unit) {
            if (actual > limit) {
                String problem = actual + " " + unit + ", at most " + limit;
                findings.add(finding(source, source.line(tree), subject, problem));
            }
        }
    }
}
