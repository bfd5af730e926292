package io.millrace.cli.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.exit.CommandFailure;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a verb prints: a table with a line of names for people, or JSON. */
final class Output {
    private static final String GAP = "  ";

    private final PrintWriter out;

    Output(PrintWriter out) {
        this.out = out;
    }

    void json(JsonNode tree) {
        try {
            out.println(AdminClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tree));
        } catch (JsonProcessingException e) {
            throw new CommandFailure(CommandFailure.reason(e), e);
        }
    }

    void line(String text) {
        out.println(text);
    }

    /** Rows below the names of their columns; a column of numbers is to the right. */
    void table(List<String> names, List<List<?>> rows) {
        List<List<?>> all = new ArrayList<>();
        all.add(names.stream().map(name -> name.toUpperCase(Locale.ROOT)).toList());
        all.addAll(rows);
        int[] widths = new int[names.size()];
        for (List<?> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).toString().length());
            }
        }
        for (List<?> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                boolean isNumber = !rows.isEmpty() && rows.get(0).get(i) instanceof Number;
                String cell = row.get(i).toString();
                String room = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? "" : GAP).append(isNumber ? room + cell : cell + room);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
