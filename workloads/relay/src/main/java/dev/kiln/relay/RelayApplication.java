package dev.kiln.relay;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Tomcat in front, Reactor Netty behind, both in one JVM: all that is measured runs on the JDK under test. */
@SpringBootApplication
public class RelayApplication {
    public static void main(String[] args) {
        SpringApplication.run(RelayApplication.class, args);
    }

    @Bean(destroyMethod = "close")
    PayloadService payloadService() {
        return new PayloadService();
    }

    @Bean(destroyMethod = "close")
    PayloadClient payloadClient(PayloadService service) {
        return new PayloadClient(service.port());
    }
}
