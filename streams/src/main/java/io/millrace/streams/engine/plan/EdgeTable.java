package io.millrace.streams.engine.plan;

import java.util.Arrays;

/**
 * The edges of a graph, numbered from 0: for each, the stage that it comes from, its outlet there, the stage that it goes to, and its inlet
 * there. All in one array, as a graph may have a million.
 */
final class EdgeTable {
    private static final int COLUMNS = 4;

    private int[] cells;
    private int count;

    /** An empty table with room for so many, and more when they come. */
    EdgeTable(int capacity) {
        cells = new int[capacity * COLUMNS];
    }

    void add(int from, int outlet, int to, int inlet) {
        int row = count * COLUMNS;
        if (row == cells.length) {
            cells = Arrays.copyOf(cells, Math.max(COLUMNS, row * 2));
        }
        cells[row] = from;
        cells[row + 1] = outlet;
        cells[row + 2] = to;
        cells[row + 3] = inlet;
        count++;
    }

    /** Keeps no more room than it needs. */
    void trim() {
        cells = Arrays.copyOf(cells, count * COLUMNS);
    }

    int count() {
        return count;
    }

    int from(int edge) {
        return cells[edge * COLUMNS];
    }

    int outlet(int edge) {
        return cells[edge * COLUMNS + 1];
    }

    int to(int edge) {
        return cells[edge * COLUMNS + 2];
    }

    int inlet(int edge) {
        return cells[edge * COLUMNS + 3];
    }
}
