package io.millrace.docs.tidy;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Calls and constructs that are out: the console from a library, sleeping in tests, a swallowed exception. */
final class CallRule implements JavaRule {
    private static final Set<String> QUIET_MODULES = Set.of("streams", "testkit", "broker", "junit", "spring");

    @Override
    public List<Finding> check(JavaSource source) {
        List<Finding> findings = new ArrayList<>();
        boolean quiet =
                source.file().isMain() && QUIET_MODULES.contains(source.file().module());
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
                String call = node.toString();
                if (quiet && (call.equals("System.out") || call.equals("System.err"))) {
                    findings.add(finding(source, node, call, "a library writes to its logger"));
                }
                if (source.file().isTest() && call.endsWith("Thread.sleep")) {
                    findings.add(finding(source, node, call, "wait for the condition, with a bound"));
                }
                return super.visitMemberSelect(node, null);
            }

            @Override
            public Void visitCatch(CatchTree node, Void nothing) {
                if (source.file().isMain() && node.getBlock().getStatements().isEmpty()) {
                    String caught = node.getParameter().getType().toString();
                    findings.add(finding(source, node, "catch " + caught, "an exception is never dropped"));
                }
                return super.visitCatch(node, null);
            }
        }.scan(source.unit(), null);
        return findings;
    }

    private static Finding finding(JavaSource source, Tree tree, String subject, String problem) {
        return new Finding(source.file().path(), source.line(tree), subject, problem);
    }
}
