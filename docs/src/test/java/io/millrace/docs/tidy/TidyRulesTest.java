package io.millrace.docs.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule goes red on a bad sample and stays green on a good one. */
class TidyRulesTest {
    private static final String MAIN = "broker/src/main/java/io/millrace/broker/Sample.java";
    private static final String TEST = "broker/src/test/java/io/millrace/broker/SampleTest.java";

    @Test
    void aLongFileIsFoundAndCommentsAndBlankLinesAreFree() {
        String line = "int a;\n";
        String free = "// words\n\n/* more\n words */\n";
        assertThat(size(MAIN, "class A {\n" + line.repeat(398) + free.repeat(500) + "}\n"))
                .isEmpty();
        assertThat(size(MAIN, "class A {\n" + line.repeat(399) + "}\n")).isNotEmpty();
        assertThat(size(TEST, "class A {\n" + line.repeat(498) + "}\n")).isEmpty();
        assertThat(size(TEST, "class A {\n" + line.repeat(499) + "}\n")).isNotEmpty();
    }

    @Test
    void aLongMethodIsFound() {
        assertThat(size(MAIN, method("a();\n".repeat(68)))).isEmpty();
        assertThat(size(MAIN, method("a();\n".repeat(69)))).isNotEmpty();
    }

    @Test
    void aSixthParameterIsFound() {
        assertThat(size(MAIN, "class A { void m(int a, int b, int c, int d, int e) {} }"))
                .isEmpty();
        assertThat(size(MAIN, "class A { void m(int a, int b, int c, int d, int e, int f) {} }"))
                .isNotEmpty();
        assertThat(size(MAIN, "class A { A(int a, int b, int c, int d, int e, int f) {} }"))
                .isNotEmpty();
    }

    @Test
    void aSixthComponentOfARecordIsFound() {
        assertThat(size(MAIN, "record A(int a, int b, int c, int d, int e) { static final int F = 1; A { b(); } }"))
                .isEmpty();
        assertThat(size(MAIN, "record A(int a, int b, int c, int d, int e, int f) { A { b(); } }"))
                .extracting(Finding::subject)
                .containsExactly("A");
        assertThat(size(MAIN, "class A { record B(int a, int b, int c, int d, int e, int f) {} }"))
                .extracting(Finding::subject)
                .containsExactly("A.B");
    }

    @Test
    void aFourthLevelOfNestingIsFoundAndAnElseIfChainIsOneLevel() {
        String three = "for (;;) { while (true) { if (a) { b(); } } }";
        assertThat(size(MAIN, method(three))).isEmpty();
        assertThat(size(MAIN, method("try { " + three + " } finally { c(); }"))).isNotEmpty();
        assertThat(size(MAIN, method("if (a) {} else if (b) {} else if (c) {} else if (d) {}")))
                .isEmpty();
        assertThat(size(MAIN, method("for (;;) { Object o = new Object() { void n() {" + three + "} }; }")))
                .isEmpty();
    }

    @Test
    void vagueRoomsAndTypesAndGettersAreFound() {
        JavaRule rule = new NameRule();
        for (String room : List.of("util", "common", "impl", "helper", "manager", "core")) {
            assertThat(rule.check(source(MAIN, "package io.millrace." + room + ";\nclass A {}")))
                    .hasSize(1);
        }
        for (String type : List.of("StringUtil", "StringUtils", "FrameHelper", "LogImpl", "TopicManager")) {
            assertThat(rule.check(source(MAIN, "class " + type + " {}"))).hasSize(1);
        }
        assertThat(rule.check(source(MAIN, "class A { int getSize() { return 1; } }")))
                .hasSize(1);
        assertThat(rule.check(source(MAIN, "class A { @Override public int getSize() { return 1; } }")))
                .isEmpty();
        assertThat(rule.check(
                        source(MAIN, "package io.millrace.broker.log; class Ledger { int size() { return 1; } }")))
                .isEmpty();
    }

    @Test
    void theConsoleIsClosedToLibrariesAlone() {
        String printing = "class A { void m() { System.out.println(); System.err.println(); } }";
        assertThat(new CallRule().check(source(MAIN, printing))).hasSize(2);
        assertThat(new CallRule().check(source(MAIN.replaceFirst("broker", "cli"), printing)))
                .isEmpty();
        assertThat(new CallRule().check(source(MAIN, "// System.out.println()\nclass A {}")))
                .isEmpty();
    }

    @Test
    void sleepingInATestIsFound() {
        String sleeping = "class A { void m() throws Exception { Thread.sleep(1); } }";
        assertThat(new CallRule().check(source(TEST, sleeping))).hasSize(1);
        assertThat(new CallRule().check(source(MAIN, sleeping))).isEmpty();
    }

    @Test
    void aDroppedExceptionIsFound() {
        String dropping = method("try { a(); } catch (RuntimeException e) { /* words */ }");
        assertThat(new CallRule().check(source(MAIN, dropping))).hasSize(1);
        assertThat(new CallRule().check(source(MAIN, method("try { a(); } catch (RuntimeException e) { b(e); }"))))
                .isEmpty();
    }

    @Test
    void aMarkOfUnfinishedWorkIsFound() {
        String mark = "TO" + "DO";
        assertThat(new OpenMarkRule().check(new TextFile(MAIN, "// " + mark + " later\nclass A {}")))
                .hasSize(1);
        assertThat(new OpenMarkRule().check(new TextFile("bin/tool", "# " + mark + "\n")))
                .hasSize(1);
        assertThat(new OpenMarkRule().check(new TextFile(MAIN, "class A { String s = \"" + mark + "\"; }")))
                .isEmpty();
    }

    @Test
    void aPackageWithoutItsNullMarkIsFound() {
        JavaSource type = source(MAIN, "package io.millrace.broker; class A {}");
        String info = "broker/src/main/java/io/millrace/broker/package-info.java";
        JavaSource bare = source(info, "/** Words, @NullMarked. */ package io.millrace.broker;");
        JavaSource marked = source(info, "@NullMarked package io.millrace.broker;");
        assertThat(new NullMarkedRule().check(List.of(type))).hasSize(1);
        assertThat(new NullMarkedRule().check(List.of(type, bare))).hasSize(1);
        assertThat(new NullMarkedRule().check(List.of(type, marked))).isEmpty();
    }

    @Test
    void aBrokenLinkIsFound(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("docs"));
        Files.writeString(root.resolve("README.md"), "# Some title, here\n[a](docs/a.md) [b](docs/b.md#x)\n");
        Files.writeString(
                root.resolve("docs/a.md"),
                "[up](../README.md#some-title-here) [no](../README.md#other) [out](https://example.org) `[c](none.md)`\n");
        Repository repository = Repository.read(root);
        List<String> broken = repository.files().stream()
                .flatMap(page -> new LinkRule(repository).check(page).stream())
                .map(Finding::subject)
                .toList();
        assertThat(broken).containsExactlyInAnyOrder("docs/b.md#x", "../README.md#other");
    }

    @Test
    void aPathOfOneMachineIsFound() {
        MachinePathRule rule = new MachinePathRule();
        for (String path : List.of("/ho" + "me/ann/x", "cd /ro" + "ot/x", "=/Us" + "ers/ann", "../sha" + "red/a")) {
            assertThat(rule.check(new TextFile("bin/tool", path))).as(path).hasSize(1);
        }
        assertThat(rule.check(new TextFile("bin/tool", "/usr/lib/jvm docs/ho" + "me/x \"$base/wo" + "rk/x\"")))
                .isEmpty();
    }

    private static List<Finding> size(String path, String text) {
        return new SizeRule().check(source(path, text));
    }

    private static String method(String body) {
        return "class A {\nvoid m() {\n" + body + "}\n}\n";
    }

    private static JavaSource source(String path, String text) {
        return JavaSource.parse(new TextFile(path, text));
    }
}
