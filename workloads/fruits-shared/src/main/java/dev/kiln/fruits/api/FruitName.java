package dev.kiln.fruits.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** A fruit without all that the service computes. */
@JsonPropertyOrder({"id", "name"})
public record FruitName(Long id, String name) {
    /** The first fruits by name, made by JPA itself: no entity is loaded. */
    public static final String FIRST =
            "select new dev.kiln.fruits.api.FruitName(f.id, f.name) from Fruit f order by f.name";

    private static final int MOST = 100;

    /** How many fruits a request asks for. Parsed here, because each framework refuses what is no number in its own way. */
    public static int count(String text) {
        int count = 0;
        try {
            count = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            // Refused as what is out of range is.
        }
        if (count < 1 || count > MOST) {
            throw new BadCountException();
        }
        return count;
    }

    public static class BadCountException extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadCountException() {
            super("The number of fruits must be 1 to " + MOST + ".");
        }
    }
}
