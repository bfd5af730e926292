package io.millrace.broker.admin;

/** The text format of Prometheus: a metric after the other, with its samples. A name that ends in {@code _total} is of a counter. */
final class PrometheusText {
    private final StringBuilder text = new StringBuilder();
    private String name = "";

    void comment(String line) {
        text.append("# ").append(line).append('\n');
    }

    /** The samples that follow are of this metric. */
    void begin(String metric) {
        name = metric;
        String type = metric.endsWith("_total") ? "counter" : "gauge";
        text.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    }

    /** One sample; the labels besides the cluster are names and values in turn. */
    void sample(double value, String... labels) {
        text.append(name).append("{cluster=\"").append(ClusterPaths.CLUSTER).append('"');
        for (int i = 0; i < labels.length; i += 2) {
            text.append(',').append(labels[i]).append("=\"");
            escape(labels[i + 1]);
            text.append('"');
        }
        text.append("} ");
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            text.append((long) value);
        } else {
            text.append(value);
        }
        text.append('\n');
    }

    private void escape(String label) {
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(c);
            }
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
