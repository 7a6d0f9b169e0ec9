package dev.kiln.fruits.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** The order is spelled out in every view: Jackson 2 and 3 order properties differently by default. */
@JsonPropertyOrder({"name", "description", "storePrices"})
public record FruitView(String name, String description, List<StorePriceView> storePrices) {}
