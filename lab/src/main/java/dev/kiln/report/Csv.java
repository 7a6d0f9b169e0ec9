package dev.kiln.report;

/** Fields of a CSV, one line a row. */
final class Csv {
    private Csv() {}

    static String field(String value) {
        String line = value.replaceAll("[\\r\\n]+", " ");
        boolean plain = line.indexOf(',') < 0 && line.indexOf('"') < 0;
        return plain ? line : '"' + line.replace("\"", "\"\"") + '"';
    }
}
