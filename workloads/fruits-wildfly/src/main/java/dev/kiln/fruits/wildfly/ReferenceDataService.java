package dev.kiln.fruits.wildfly;

import dev.kiln.fruits.model.ExchangeRate;
import dev.kiln.fruits.model.Store;
import dev.kiln.fruits.pricing.ReferenceData;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;

@ApplicationScoped
public class ReferenceDataService {
    @PersistenceContext
    private EntityManager entities;

    private volatile ReferenceData cached;

    /** Without a lock: should several of the first requests read it, they read the same. */
    public ReferenceData get() {
        ReferenceData known = cached;
        if (known == null) {
            known = ReferenceData.of(
                    entities.createQuery("select s from Store s", Store.class).getResultList(),
                    entities.createQuery("select r from ExchangeRate r", ExchangeRate.class).getResultList());
            cached = known;
        }
        return known;
    }
}
