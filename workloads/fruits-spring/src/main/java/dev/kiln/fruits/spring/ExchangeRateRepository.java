package dev.kiln.fruits.spring;

import dev.kiln.fruits.model.ExchangeRate;
import org.springframework.data.jpa.repository.JpaRepository;

interface ExchangeRateRepository extends JpaRepository<ExchangeRate, String> {}
