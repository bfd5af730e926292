package io.millrace.docs.tidy;

import java.util.List;
import java.util.regex.Pattern;

/** Marks of unfinished work: they belong to the tracker, not to the tree. */
final class OpenMarkRule {
    private static final Pattern MARK = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");

    /** Looks at the comments of a Java file and at the whole of any other. */
    List<Finding> check(TextFile file) {
        String text = file.isJava() ? CommentSplit.of(file.text()).comments() : file.text();
        return MARK.matcher(text)
                .results()
                .map(found -> new Finding(
                        file.path(), file.lineOf(found.start()), found.group(), "finish it, or put it in the tracker"))
                .toList();
    }
}
