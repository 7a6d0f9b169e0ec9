package dev.kiln.fruits.pricing;

import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.StorePriceView;
import dev.kiln.fruits.model.Fruit;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Fruits as the API shows them. Sorting is done here, not by the database: it is the service that is measured. */
public final class Catalogue {
    private static final Comparator<StorePriceView> BY_STORE = Comparator.comparing(StorePriceView::store);

    private final PriceCalculator calculator;

    public Catalogue(ReferenceData reference) {
        this.calculator = new PriceCalculator(reference);
    }

    public List<FruitView> views(Collection<Fruit> fruits) {
        return fruits.stream()
                .map(this::view)
                .sorted(Comparator.comparing(FruitView::name))
                .toList();
    }

    public FruitView view(Fruit fruit) {
        List<StorePriceView> prices =
                fruit.getPrices().stream().map(calculator::price).sorted(BY_STORE).toList();
        return new FruitView(fruit.getName(), fruit.getDescription(), prices);
    }
}
