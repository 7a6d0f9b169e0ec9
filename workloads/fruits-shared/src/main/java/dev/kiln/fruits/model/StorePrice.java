package dev.kiln.fruits.model;

import jakarta.persistence.Column;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.Table;

/**
 * What one store asks for one fruit. The store is kept as an identifier: stores are reference data, held in a cache, so
 * the query that reads prices need not join them.
 */
@Entity
@Table(name = "store_prices")
public class StorePrice {
    @EmbeddedId
    private StorePriceId id;

    @MapsId("fruitId")
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "fruit_id")
    private Fruit fruit;

    @Column(name = "net_cents", nullable = false)
    private int netCents;

    @Column(name = "discount_percent", nullable = false)
    private int discountPercent;

    protected StorePrice() {}

    public Long getStoreId() {
        return id.getStoreId();
    }

    /** Before tax and discount, in hundredths of the store's own currency. */
    public int getNetCents() {
        return netCents;
    }

    public int getDiscountPercent() {
        return discountPercent;
    }
}
