package dev.kiln.fruits.spring;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.model.Fruit;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

interface FruitRepository extends JpaRepository<Fruit, Long> {
    @Query("from Fruit f left join fetch f.prices")
    List<Fruit> findAllWithPrices();

    @Query(FruitName.FIRST)
    List<FruitName> findFirst(Limit count);

    @Query("from Fruit f left join fetch f.prices where f.name = :name")
    Optional<Fruit> findByNameWithPrices(String name);

    @Modifying
    @Query("delete from Fruit f where f.name = :name")
    int deleteByName(String name);
}
