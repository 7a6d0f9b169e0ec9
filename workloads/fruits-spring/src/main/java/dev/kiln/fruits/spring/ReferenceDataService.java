package dev.kiln.fruits.spring;

import dev.kiln.fruits.pricing.ReferenceData;
import org.springframework.stereotype.Service;

@Service
class ReferenceDataService {
    private final StoreRepository stores;
    private final ExchangeRateRepository rates;
    private volatile ReferenceData cached;

    ReferenceDataService(StoreRepository stores, ExchangeRateRepository rates) {
        this.stores = stores;
        this.rates = rates;
    }

    /** Without a lock: should several of the first requests read it, they read the same. */
    ReferenceData get() {
        ReferenceData known = cached;
        if (known == null) {
            known = ReferenceData.of(stores.findAll(), rates.findAll());
            cached = known;
        }
        return known;
    }
}
