package dev.kiln.fruits.api;

public class DuplicateFruitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DuplicateFruitException(String name, Throwable cause) {
        super("There is already a fruit called '" + name + "'.", cause);
    }
}
