package io.millrace.docs.behaviours;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.util.TreeScanner;
import io.millrace.docs.tidy.JavaSource;
import java.util.Set;
import java.util.TreeSet;

/** The behaviour ids that the tests of a source file carry; a disabled test and a plain method carry none. */
final class CarriedIds extends TreeScanner<Void, Void> {
    private static final Set<String> TESTS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "ArchTest");

    private final Set<String> ids = new TreeSet<>();

    private CarriedIds() {}

    static Set<String> of(JavaSource source) {
        CarriedIds carried = new CarriedIds();
        carried.scan(source.unit(), null);
        return carried.ids;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
        if (isDisabled(type.getModifiers())) {
            return null;
        }
        boolean tests = type.getMembers().stream()
                .anyMatch(member -> member instanceof MethodTree method && isTest(method.getModifiers()));
        if (tests) {
            collect(type.getModifiers());
        }
        return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
        if (isTest(method.getModifiers()) && !isDisabled(method.getModifiers())) {
            collect(method.getModifiers());
        }
        return super.visitMethod(method, null);
    }

    private void collect(ModifiersTree modifiers) {
        for (AnnotationTree annotation : modifiers.getAnnotations()) {
            if (isNamed(annotation, "Behaviour")) {
                new Literals().scan(annotation.getArguments(), null);
            }
        }
    }

    private static boolean isTest(ModifiersTree modifiers) {
        return modifiers.getAnnotations().stream()
                .anyMatch(annotation -> TESTS.stream().anyMatch(test -> isNamed(annotation, test)));
    }

    private static boolean isDisabled(ModifiersTree modifiers) {
        return modifiers.getAnnotations().stream().anyMatch(annotation -> isNamed(annotation, "Disabled"));
    }

    private static boolean isNamed(AnnotationTree annotation, String name) {
        String type = annotation.getAnnotationType().toString();
        return type.equals(name) || type.endsWith("." + name);
    }

    private final class Literals extends TreeScanner<Void, Void> {
        @Override
        public Void visitLiteral(LiteralTree literal, Void nothing) {
            ids.add(String.valueOf(literal.getValue()));
            return null;
        }
    }
}
