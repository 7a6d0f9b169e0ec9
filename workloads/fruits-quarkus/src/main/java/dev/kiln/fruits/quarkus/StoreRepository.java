package dev.kiln.fruits.quarkus;

import dev.kiln.fruits.model.Store;
import io.quarkus.hibernate.orm.panache.PanacheRepository;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class StoreRepository implements PanacheRepository<Store> {}
