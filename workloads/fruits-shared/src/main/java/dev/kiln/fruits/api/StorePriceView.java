package dev.kiln.fruits.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.math.BigDecimal;

@JsonPropertyOrder({"store", "city", "currency", "net", "tax", "gross", "label", "grossInEuro"})
public record StorePriceView(
        String store,
        String city,
        String currency,
        BigDecimal net,
        BigDecimal tax,
        BigDecimal gross,
        String label,
        BigDecimal grossInEuro) {}
