package dev.kiln.relay;

import java.net.URI;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Tomcat in front. What it calls, {@link PayloadService}, runs in a JVM of its own. */
@SpringBootApplication
public class RelayApplication {
    public static void main(String[] args) {
        SpringApplication.run(RelayApplication.class, args);
    }

    @Bean(destroyMethod = "close")
    PayloadClient payloadClient(@Value("${relay.service}") URI service) {
        return new PayloadClient(service);
    }
}
