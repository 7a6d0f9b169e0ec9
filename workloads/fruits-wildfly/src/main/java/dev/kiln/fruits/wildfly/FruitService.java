package dev.kiln.fruits.wildfly;

import dev.kiln.fruits.api.DuplicateFruitException;
import dev.kiln.fruits.api.FruitNotFoundException;
import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import dev.kiln.fruits.model.Fruit;
import dev.kiln.fruits.pricing.Catalogue;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import org.hibernate.exception.ConstraintViolationException;

@ApplicationScoped
@Transactional
public class FruitService {
    @Inject
    private FruitRepository fruits;

    @Inject
    private ReferenceDataService reference;

    public List<FruitView> all() {
        return new Catalogue(reference.get()).views(fruits.findAllWithPrices());
    }

    public List<FruitName> names(int count) {
        return fruits.findFirst(count);
    }

    public FruitView byName(String name) {
        Fruit fruit = fruits.findByNameWithPrices(name).orElseThrow(() -> new FruitNotFoundException(name));
        return new Catalogue(reference.get()).view(fruit);
    }

    public FruitView add(NewFruit fruit) {
        try {
            // Flushed here, where a duplicate can still be told apart; the database decides, so there is no race.
            Fruit saved = fruits.saveAndFlush(new Fruit(fruit.name(), fruit.description()));
            return new Catalogue(reference.get()).view(saved);
        } catch (ConstraintViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    public FruitView replace(String name, NewFruit fruit) {
        try {
            Fruit known = fruits.findToChange(name).orElseThrow(() -> new FruitNotFoundException(name));
            known.replace(fruit.name(), fruit.description());
            return new Catalogue(reference.get()).view(fruits.saveAndFlush(known));
        } catch (ConstraintViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    /** The database deletes its prices. */
    public void delete(String name) {
        if (fruits.deleteByName(name) == 0) {
            throw new FruitNotFoundException(name);
        }
    }
}
