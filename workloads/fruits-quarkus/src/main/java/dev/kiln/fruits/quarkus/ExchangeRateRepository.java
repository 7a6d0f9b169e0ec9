package dev.kiln.fruits.quarkus;

import dev.kiln.fruits.model.ExchangeRate;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class ExchangeRateRepository implements PanacheRepositoryBase<ExchangeRate, String> {}
