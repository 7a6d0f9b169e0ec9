package dev.kiln.start.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The service that a guide begins with: nearly all of its start is the framework's and the JVM's. */
@Path("/hello")
public class HelloResource {
    @GET
    public String hello() {
        return "hello";
    }
}
