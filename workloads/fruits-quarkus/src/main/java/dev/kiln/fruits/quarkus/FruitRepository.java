package dev.kiln.fruits.quarkus;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.model.Fruit;
import io.quarkus.hibernate.orm.panache.PanacheQuery;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import org.hibernate.jpa.HibernateHints;

@ApplicationScoped
class FruitRepository implements PanacheRepository<Fruit> {
    List<Fruit> listAllWithPrices() {
        return readOnly(find("from Fruit f left join fetch f.prices")).list();
    }

    List<FruitName> listFirst(int count) {
        return getEntityManager()
                .createQuery(FruitName.FIRST, FruitName.class)
                .setMaxResults(count)
                .getResultList();
    }

    Optional<Fruit> findByNameWithPrices(String name) {
        return readOnly(find("from Fruit f left join fetch f.prices where f.name = ?1", name))
                .singleResultOptional();
    }

    Optional<Fruit> findToChange(String name) {
        return find("from Fruit f left join fetch f.prices where f.name = ?1", name).singleResultOptional();
    }

    /** Without snapshots for dirty checking, as a read-only transaction of Spring has it. */
    private static PanacheQuery<Fruit> readOnly(PanacheQuery<Fruit> query) {
        return query.withHint(HibernateHints.HINT_READ_ONLY, true);
    }
}
