package io.millrace.docs.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Relative links of Markdown pages lead to a file, and their anchors to a heading. */
final class LinkRule {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```|`[^`\n]*`");

    private final Repository repository;

    LinkRule(Repository repository) {
        this.repository = repository;
    }

    List<Finding> check(TextFile page) {
        String prose = CODE.matcher(page.text()).replaceAll(code -> code.group().replaceAll("[^\n]", " "));
        List<Finding> findings = new ArrayList<>();
        LINK.matcher(prose).results().forEach(link -> {
            String target = link.group(1);
            boolean external = target.contains("://") || target.startsWith("mailto:");
            if (!external && !leadsSomewhere(page, target)) {
                findings.add(broken(page, link));
            }
        });
        return findings;
    }

    private boolean leadsSomewhere(TextFile page, String target) {
        String[] parts = target.split("#", 2);
        String path = parts[0].isEmpty() ? page.path() : resolve(page, parts[0]);
        if (path.startsWith("..") || !repository.exists(path)) {
            return false;
        }
        return parts.length == 1
                || repository.files().stream()
                        .filter(file -> file.path().equals(path))
                        .anyMatch(file -> hasHeading(file, parts[1]));
    }

    private static String resolve(TextFile page, String relative) {
        Path folder = Path.of(page.path()).resolveSibling(relative).normalize();
        return folder.toString().replace('\\', '/');
    }

    private static boolean hasHeading(TextFile file, String anchor) {
        return HEADING.matcher(file.text())
                .results()
                .anyMatch(found -> slug(found.group(1)).equals(anchor));
    }

    private static String slug(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static Finding broken(TextFile page, MatchResult link) {
        return new Finding(page.path(), page.lineOf(link.start()), link.group(1), "leads nowhere");
    }
}
