package io.millrace.docs.tidy;

/** A Java text as two texts of the same length: the code alone and the comments alone, the rest blanked. */
record CommentSplit(String code, String comments) {
    static CommentSplit of(String text) {
        StringBuilder code = new StringBuilder(text.length());
        StringBuilder comments = new StringBuilder(text.length());
        int position = 0;
        while (position < text.length()) {
            int end = endOfToken(text, position);
            boolean comment = text.startsWith("//", position) || text.startsWith("/*", position);
            String token = text.substring(position, end);
            code.append(comment ? blank(token) : token);
            comments.append(comment ? token : blank(token));
            position = end;
        }
        return new CommentSplit(code.toString(), comments.toString());
    }

    private static int endOfToken(String text, int start) {
        if (text.startsWith("//", start)) {
            return endAfter(text, start, "\n", 0);
        }
        if (text.startsWith("/*", start)) {
            return endAfter(text, start + 2, "*/", 2);
        }
        if (text.startsWith("\"\"\"", start)) {
            return endOfQuoted(text, start + 3, "\"\"\"");
        }
        char first = text.charAt(start);
        return first == '"' || first == '\'' ? endOfQuoted(text, start + 1, String.valueOf(first)) : start + 1;
    }

    private static int endAfter(String text, int from, String mark, int included) {
        int found = text.indexOf(mark, from);
        return found < 0 ? text.length() : found + included;
    }

    private static int endOfQuoted(String text, int from, String quote) {
        int position = from;
        while (position < text.length() && !text.startsWith(quote, position)) {
            position += text.charAt(position) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), position + quote.length());
    }

    private static String blank(String token) {
        return token.replaceAll("[^\n]", " ");
    }
}
