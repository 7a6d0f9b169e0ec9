package dev.kiln.fruits.spring;

import dev.kiln.fruits.model.Store;
import org.springframework.data.jpa.repository.JpaRepository;

interface StoreRepository extends JpaRepository<Store, Long> {}
