import java.util.List;
import java.util.Optional;

/**
 * An Outcome is one run of a kind.
 *
 * @param how closed, rate, and whether with a recording
 * @param told empty where Kiln had no result
 * @param impossible whether that is because this machine cannot do what the kind needs
 */
record Outcome(Kind kind, int jdk, String how, Optional<Told> told, Optional<Account> account, boolean impossible) {
    boolean recorded() {
        return how.endsWith("-recorded");
    }

    /** Tells whether it is a healthy service of which nothing can be said: naming nothing is no merit then. */
    boolean spoiled() {
        return kind.healthy() && told.filter(Told::invalid).isPresent();
    }

    /** Tells whether a rate was sent that is below the limit that was planted. */
    boolean belowLimit() {
        return kind.limit() && how.startsWith("rate");
    }

    /** Returns what is right to tell, in words. */
    String expected() {
        return belowLimit() ? "nothing held back" : String.join(", ", kind.expected());
    }

    /**
     * Tells whether the right one was named first; of a healthy kind, that nothing was confirmed; of a rate below a limit, that nothing
     * untrue was told, and nothing that held the run back. No result is not right.
     */
    boolean right() {
        if (told.isEmpty()) {
            return false;
        }
        Optional<String> first = told.flatMap(Told::first);
        if (belowLimit()) {
            return told.get().heldBack().isEmpty() && wrong().isEmpty();
        }
        if (kind.healthy()) {
            return first.isEmpty();
        }
        if (first.isPresent()) {
            return kind.accepts(first.get());
        }
        return kind.mayBeUnnamed() && budgetPoints();
    }

    /** Without a budget nothing points anywhere. */
    private boolean budgetPoints() {
        return told.flatMap(Told::budget)
                .map(budget -> kind.accepts(Kind.UNNAMED + budget.largest()))
                .orElse(false);
    }

    /** Returns the confirmed causes that are not right. */
    List<String> wrong() {
        return told.map(Told::held).orElse(List.of()).stream()
                .filter(kind::refuses)
                .toList();
    }
}
