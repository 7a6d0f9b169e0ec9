package dev.kiln.fruits.model;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import java.io.Serializable;
import java.util.Objects;

@Embeddable
public class StorePriceId implements Serializable {
    private static final long serialVersionUID = 1;

    @Column(name = "fruit_id")
    private Long fruitId;

    @Column(name = "store_id")
    private Long storeId;

    protected StorePriceId() {}

    public StorePriceId(Long fruitId, Long storeId) {
        this.fruitId = fruitId;
        this.storeId = storeId;
    }

    public Long getFruitId() {
        return fruitId;
    }

    public Long getStoreId() {
        return storeId;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StorePriceId that
                && Objects.equals(fruitId, that.fruitId)
                && Objects.equals(storeId, that.storeId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(fruitId, storeId);
    }
}
