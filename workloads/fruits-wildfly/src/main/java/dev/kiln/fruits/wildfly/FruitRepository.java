package dev.kiln.fruits.wildfly;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.model.Fruit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.TypedQuery;
import java.util.List;
import java.util.Optional;
import org.hibernate.jpa.HibernateHints;

@ApplicationScoped
public class FruitRepository {
    private static final String BY_NAME = "select f from Fruit f left join fetch f.prices where f.name = :name";

    @PersistenceContext
    private EntityManager entities;

    public List<Fruit> findAllWithPrices() {
        return readOnly("select f from Fruit f left join fetch f.prices").getResultList();
    }

    public List<FruitName> findFirst(int count) {
        return entities.createQuery(FruitName.FIRST, FruitName.class)
                .setMaxResults(count)
                .getResultList();
    }

    public Optional<Fruit> findByNameWithPrices(String name) {
        return readOnly(BY_NAME)
                .setParameter("name", name)
                .getResultStream()
                .findFirst();
    }

    public Optional<Fruit> findToChange(String name) {
        return entities.createQuery(BY_NAME, Fruit.class)
                .setParameter("name", name)
                .getResultStream()
                .findFirst();
    }

    public int deleteByName(String name) {
        return entities.createQuery("delete from Fruit f where f.name = :name")
                .setParameter("name", name)
                .executeUpdate();
    }

    public Fruit saveAndFlush(Fruit fruit) {
        entities.persist(fruit);
        entities.flush();
        return fruit;
    }

    /** Without snapshots for dirty checking, as a read-only transaction of Spring has it. */
    private TypedQuery<Fruit> readOnly(String query) {
        return entities.createQuery(query, Fruit.class).setHint(HibernateHints.HINT_READ_ONLY, true);
    }
}
