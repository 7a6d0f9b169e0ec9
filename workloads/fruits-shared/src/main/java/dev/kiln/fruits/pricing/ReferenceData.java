package dev.kiln.fruits.pricing;

import dev.kiln.fruits.model.ExchangeRate;
import dev.kiln.fruits.model.Store;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Stores and exchange rates: read by every request, changed by none, so both applications cache them. */
public record ReferenceData(Map<Long, Store> stores, Map<String, BigDecimal> perEuro) {
    public static ReferenceData of(Collection<Store> stores, Collection<ExchangeRate> rates) {
        return new ReferenceData(
                stores.stream().collect(Collectors.toUnmodifiableMap(Store::getId, Function.identity())),
                rates.stream()
                        .collect(Collectors.toUnmodifiableMap(ExchangeRate::getCurrencyCode, ExchangeRate::getPerEuro)));
    }
}
