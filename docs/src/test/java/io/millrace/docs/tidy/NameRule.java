package io.millrace.docs.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Rooms and types named for their purpose, and accessors without a prefix. */
final class NameRule implements JavaRule {
    private static final Set<String> PACKAGES =
            Set.of("util", "utils", "common", "impl", "core", "helper", "helpers", "manager", "misc");
    private static final Pattern TYPES = Pattern.compile(".+(Utils?|Helpers?|Impl|Manager)");
    private static final Pattern GETTERS = Pattern.compile("get[A-Z].*");

    @Override
    public List<Finding> check(JavaSource source) {
        List<Finding> findings = new ArrayList<>();
        for (String room : source.packageName().split("\\.", -1)) {
            if (PACKAGES.contains(room)) {
                findings.add(new Finding(source.file().path(), 1, source.packageName(), "a room named " + room));
            }
        }
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void nothing) {
                if (TYPES.matcher(type.getSimpleName()).matches()) {
                    findings.add(finding(source, type, type.getSimpleName(), "name the concept it stands for"));
                }
                return super.visitClass(type, null);
            }

            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                boolean getter = GETTERS.matcher(method.getName()).matches();
                if (getter && source.file().isMain() && !overrides(method)) {
                    findings.add(finding(source, method, method.getName(), "an accessor has no get prefix"));
                }
                return super.visitMethod(method, null);
            }
        }.scan(source.unit(), null);
        return findings;
    }

    private static Finding finding(JavaSource source, Tree tree, CharSequence subject, String problem) {
        return new Finding(source.file().path(), source.line(tree), subject.toString(), problem);
    }

    private static boolean overrides(MethodTree method) {
        return Arrays.stream(method.getModifiers().getAnnotations().toArray())
                .anyMatch(annotation -> annotation.toString().contains("Override"));
    }
}
