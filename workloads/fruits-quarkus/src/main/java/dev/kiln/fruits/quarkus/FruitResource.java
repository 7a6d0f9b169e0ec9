package dev.kiln.fruits.quarkus;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Always annotated for virtual threads. Whether the annotation is obeyed is fixed when Quarkus packages these classes, so
 * they are packaged twice: once for virtual threads, once for Quarkus's worker threads.
 */
@Path("/fruits")
@RunOnVirtualThread
public class FruitResource {
    private final FruitService fruits;

    FruitResource(FruitService fruits) {
        this.fruits = fruits;
    }

    @GET
    public List<FruitView> all() {
        return fruits.all();
    }

    @GET
    @Path("/names/{count}")
    public List<FruitName> names(String count) {
        return fruits.names(FruitName.count(count));
    }

    @GET
    @Path("/{name}")
    public FruitView byName(String name) {
        return fruits.byName(name);
    }

    @POST
    public RestResponse<FruitView> add(@NotNull @Valid NewFruit fruit, UriInfo here) {
        FruitView added = fruits.add(fruit);
        URI location = here.getBaseUriBuilder().path("fruits/{name}").build(added.name());
        return RestResponse.ResponseBuilder.<FruitView>created(location).entity(added).build();
    }

    @PUT
    @Path("/{name}")
    public FruitView replace(String name, @NotNull @Valid NewFruit fruit) {
        return fruits.replace(name, fruit);
    }

    @DELETE
    @Path("/{name}")
    public void delete(String name) {
        fruits.delete(name);
    }
}
