package dev.kiln.fruits.quarkus;

import dev.kiln.fruits.api.DuplicateFruitException;
import dev.kiln.fruits.api.FruitNotFoundException;
import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import dev.kiln.fruits.model.Fruit;
import dev.kiln.fruits.pricing.Catalogue;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import org.hibernate.exception.ConstraintViolationException;

@ApplicationScoped
@Transactional
class FruitService {
    private final FruitRepository fruits;
    private final ReferenceDataService reference;

    FruitService(FruitRepository fruits, ReferenceDataService reference) {
        this.fruits = fruits;
        this.reference = reference;
    }

    List<FruitView> all() {
        return new Catalogue(reference.get()).views(fruits.listAllWithPrices());
    }

    List<FruitName> names(int count) {
        return fruits.listFirst(count);
    }

    FruitView byName(String name) {
        Fruit fruit = fruits.findByNameWithPrices(name).orElseThrow(() -> new FruitNotFoundException(name));
        return new Catalogue(reference.get()).view(fruit);
    }

    FruitView add(NewFruit fruit) {
        try {
            // Flushed here, where a duplicate can still be told apart; the database decides, so there is no race.
            Fruit saved = new Fruit(fruit.name(), fruit.description());
            fruits.persistAndFlush(saved);
            return new Catalogue(reference.get()).view(saved);
        } catch (ConstraintViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    FruitView replace(String name, NewFruit fruit) {
        try {
            Fruit known = fruits.findToChange(name).orElseThrow(() -> new FruitNotFoundException(name));
            known.replace(fruit.name(), fruit.description());
            fruits.flush();
            return new Catalogue(reference.get()).view(known);
        } catch (ConstraintViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    /** The database deletes its prices. */
    void delete(String name) {
        if (fruits.delete("name", name) == 0) {
            throw new FruitNotFoundException(name);
        }
    }
}
