package dev.kiln.fruits.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.persistence.autoconfigure.EntityScan;

@SpringBootApplication
@EntityScan("dev.kiln.fruits.model")
public class FruitsApplication {
    public static void main(String[] args) {
        SpringApplication.run(FruitsApplication.class, args);
    }
}
