package dev.kiln.fruits.model;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;

@Entity
@Table(name = "exchange_rates")
public class ExchangeRate {
    @Id
    @Column(name = "currency_code", length = 3)
    private String currencyCode;

    @Column(name = "per_euro", nullable = false, precision = 12, scale = 6)
    private BigDecimal perEuro;

    protected ExchangeRate() {}

    public String getCurrencyCode() {
        return currencyCode;
    }

    public BigDecimal getPerEuro() {
        return perEuro;
    }
}
