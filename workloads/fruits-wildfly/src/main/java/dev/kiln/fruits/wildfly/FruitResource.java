package dev.kiln.fruits.wildfly;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;

@Path("/fruits")
@ApplicationScoped
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class FruitResource {
    @Inject
    private FruitService fruits;

    @GET
    public List<FruitView> all() {
        return fruits.all();
    }

    @GET
    @Path("/names/{count}")
    public List<FruitName> names(@PathParam("count") String count) {
        return fruits.names(FruitName.count(count));
    }

    @GET
    @Path("/{name}")
    public FruitView byName(@PathParam("name") String name) {
        return fruits.byName(name);
    }

    @POST
    public Response add(@NotNull @Valid NewFruit fruit, @Context UriInfo here) {
        FruitView added = fruits.add(fruit);
        URI location = here.getBaseUriBuilder().path("fruits/{name}").build(added.name());
        return Response.created(location).entity(added).build();
    }

    @PUT
    @Path("/{name}")
    public FruitView replace(@PathParam("name") String name, @NotNull @Valid NewFruit fruit) {
        return fruits.replace(name, fruit);
    }

    @DELETE
    @Path("/{name}")
    public void delete(@PathParam("name") String name) {
        fruits.delete(name);
    }
}
