package dev.kiln.fruits.api;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/** Messages are spelled out so that neither framework's locale resolution can change the answer. */
public record NewFruit(
        @NotBlank(message = "must not be blank") @Size(max = 40, message = "must have at most 40 characters")
        String name,

        @NotBlank(message = "must not be blank") @Size(max = 200, message = "must have at most 200 characters")
        String description) {}
