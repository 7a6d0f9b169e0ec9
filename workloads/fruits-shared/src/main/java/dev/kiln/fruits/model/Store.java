package dev.kiln.fruits.model;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;

@Entity
@Table(name = "stores")
public class Store {
    @Id
    private Long id;

    @Column(nullable = false, length = 40)
    private String name;

    @Column(nullable = false, length = 40)
    private String city;

    @Column(name = "language_tag", nullable = false, length = 10)
    private String languageTag;

    @Column(name = "currency_code", nullable = false, length = 3)
    private String currencyCode;

    @Column(name = "tax_rate", nullable = false, precision = 4, scale = 3)
    private BigDecimal taxRate;

    protected Store() {}

    public Long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public String getCity() {
        return city;
    }

    /** How this store writes amounts: a BCP 47 language tag. */
    public String getLanguageTag() {
        return languageTag;
    }

    public String getCurrencyCode() {
        return currencyCode;
    }

    /** A fraction: 0.070 is seven percent. */
    public BigDecimal getTaxRate() {
        return taxRate;
    }
}
