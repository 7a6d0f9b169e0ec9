package dev.kiln.fruits.api;

public class FruitNotFoundException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FruitNotFoundException(String name) {
        super("There is no fruit called '" + name + "'.");
    }
}
