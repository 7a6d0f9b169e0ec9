package dev.kiln.fruits.spring;

import dev.kiln.fruits.api.DuplicateFruitException;
import dev.kiln.fruits.api.FruitNotFoundException;
import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import dev.kiln.fruits.model.Fruit;
import dev.kiln.fruits.pricing.Catalogue;
import java.util.List;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional(readOnly = true)
class FruitService {
    private final FruitRepository fruits;
    private final ReferenceDataService reference;

    FruitService(FruitRepository fruits, ReferenceDataService reference) {
        this.fruits = fruits;
        this.reference = reference;
    }

    public List<FruitView> all() {
        return new Catalogue(reference.get()).views(fruits.findAllWithPrices());
    }

    public List<FruitName> names(int count) {
        return fruits.findFirst(Limit.of(count));
    }

    public FruitView byName(String name) {
        Fruit fruit = fruits.findByNameWithPrices(name).orElseThrow(() -> new FruitNotFoundException(name));
        return new Catalogue(reference.get()).view(fruit);
    }

    @Transactional
    public FruitView add(NewFruit fruit) {
        try {
            // Flushed here, where a duplicate can still be told apart; the database decides, so there is no race.
            Fruit saved = fruits.saveAndFlush(new Fruit(fruit.name(), fruit.description()));
            return new Catalogue(reference.get()).view(saved);
        } catch (DataIntegrityViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    @Transactional
    public FruitView replace(String name, NewFruit fruit) {
        try {
            Fruit known = fruits.findByNameWithPrices(name).orElseThrow(() -> new FruitNotFoundException(name));
            known.replace(fruit.name(), fruit.description());
            return new Catalogue(reference.get()).view(fruits.saveAndFlush(known));
        } catch (DataIntegrityViolationException e) {
            throw new DuplicateFruitException(fruit.name(), e);
        }
    }

    /** The database deletes its prices. */
    @Transactional
    public void delete(String name) {
        if (fruits.deleteByName(name) == 0) {
            throw new FruitNotFoundException(name);
        }
    }
}
