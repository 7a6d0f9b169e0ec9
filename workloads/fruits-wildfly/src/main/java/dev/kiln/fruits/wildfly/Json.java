package dev.kiln.fruits.wildfly;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.jakarta.rs.cfg.JakartaRSFeature;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.ext.Provider;
import org.jboss.resteasy.plugins.providers.jackson.ResteasyJackson2Provider;

/** RESTEasy's own, but for two things: a property that is not known is passed over, and so is what follows the JSON. */
@Provider
@Consumes({"application/json", "application/*+json"})
@Produces({"application/json", "application/*+json"})
public class Json extends ResteasyJackson2Provider {
    public Json() {
        setMapper(JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
        disable(JakartaRSFeature.READ_FULL_STREAM);
    }
}
