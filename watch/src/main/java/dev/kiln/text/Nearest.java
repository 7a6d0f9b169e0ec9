package dev.kiln.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Nearest finds what somebody meant to write. */
public final class Nearest {
    private Nearest() {}

    /** Returns "unknown key 'conections'; did you mean 'connections'?", or the list of what is known. */
    public static String complaint(String what, String found, Collection<String> known) {
        return "unknown " + what + " '" + found + "'; "
                + of(found, known)
                        .map(near -> "did you mean '" + near + "'?")
                        .orElseGet(() -> "expected one of " + String.join(", ", known));
    }

    /** Returns the known word that {@code found} is most likely a slip of; far ones are no help. */
    public static Optional<String> of(String found, Collection<String> known) {
        String plain = plain(found);
        int limit = 1 + plain.length() / 4;
        return known.stream()
                .filter(word -> distance(plain, plain(word)) <= limit)
                .min(Comparator.comparingInt(word -> distance(plain, plain(word))));
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** Returns the Damerau-Levenshtein distance (optimal string alignment): swapped neighbours count as one slip. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, cost, i, j);
            }
        }
        return cost[a.length()][b.length()];
    }

    private static int cheapest(String a, String b, int[][] cost, int i, int j) {
        int swap = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(Math.min(cost[i - 1][j], cost[i][j - 1]) + 1, cost[i - 1][j - 1] + swap);
        boolean crossed = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return crossed ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
    }
}
