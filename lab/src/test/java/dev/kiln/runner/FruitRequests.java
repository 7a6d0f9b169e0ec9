package dev.kiln.runner;

import java.util.List;
import java.util.Optional;

/** What the fruit services are asked, in this order, each with the status that is right. */
final class FruitRequests {
    private static final String JSON = "application/json";

    /** A request; a body comes with its media type. */
    record Request(int status, String method, String path, Optional<String> type, String body) {
        @Override
        public String toString() {
            return method + " " + path + (body.isEmpty() ? "" : " " + body);
        }
    }

    private FruitRequests() {}

    static List<Request> all() {
        return List.of(
                get(200, "/fruits"),
                get(200, "/fruits/names/3"),
                get(200, "/fruits/names/1"),
                get(400, "/fruits/names/0"),
                get(400, "/fruits/names/101"),
                get(400, "/fruits/names/-1"),
                get(400, "/fruits/names/3.5"),
                get(400, "/fruits/names/many"),
                get(400, "/fruits/names/99999999999"),
                get(404, "/fruits/names"),
                put(405, "/fruits/names/3", "{}"),
                get(200, "/fruits/Apple"),
                get(404, "/fruits/Nope"),
                get(404, "/fruits/apple"),
                get(404, "/fruits/No%20%22pe%22%20'%3C%26%3E"),
                get(404, "/fruits/Gr%C3%BCnkohl%20%F0%9F%A5%9D"),
                post(201, "{\"name\":\"Kiwi\",\"description\":\"Green\"}"),
                get(200, "/fruits/Kiwi"),
                get(200, "/fruits"),
                post(409, "{\"name\":\"Kiwi\",\"description\":\"Green\"}"),
                post(409, "{\"name\":\"Apple\",\"description\":\"again\"}"),
                post(400, "{\"name\":\"\",\"description\":\"\"}"),
                post(400, "{\"name\":\"   \",\"description\":\"blank\"}"),
                post(400, "{}"),
                post(400, "{\"name\":\"Quince\"}"),
                post(400, "{\"name\":null,\"description\":null}"),
                post(400, "{\"name\":\"" + "x".repeat(41) + "\",\"description\":\"" + "y".repeat(201) + "\"}"),
                post(201, "{\"name\":\"" + "x".repeat(40) + "\",\"description\":\"" + "y".repeat(200) + "\"}"),
                post(400, "{\"name\":"),
                post(400, "nonsense"),
                post(400, "[]"),
                post(400, "null"),
                post(400, ""),
                post(400, "{\"name\":{\"a\":1},\"description\":\"x\"}"),
                post(201, "{\"name\":5,\"description\":true}"),
                post(201, "{\"name\":\"Date\",\"description\":\"x\",\"more\":1}"),
                post(201, "{\"name\":\"Medlar\",\"description\":\"x\"} trailing"),
                post(201, "{\"name\":\"Crème brûlée 🥝\",\"description\":\"\\\"not\\\" a fruit, \\u00e9\"}"),
                get(200, "/fruits/Cr%C3%A8me%20br%C3%BBl%C3%A9e%20%F0%9F%A5%9D"),
                post(201, "{\"name\":\"a/b?c#d&e+f%25 \\\"g\\\"\",\"description\":\"x\"}"),
                get(404, "/fruits/a%3Fb%23"),
                new Request(415, "POST", "/fruits", Optional.of("text/plain"), "x"),
                new Request(415, "POST", "/fruits", Optional.of("application/xml"), "<fruit/>"),
                new Request(405, "DELETE", "/fruits", Optional.empty(), ""),
                new Request(405, "PUT", "/fruits", Optional.of(JSON), "{}"),
                put(400, "/fruits/Apple", "{}"),
                put(200, "/fruits/Apple", "{\"name\":\"Apple\",\"description\":\"Red\"}"),
                get(200, "/fruits/Apple"),
                put(200, "/fruits/Kiwi", "{\"name\":\"Kiwano\",\"description\":\"Horned\"}"),
                get(404, "/fruits/Kiwi"),
                get(200, "/fruits/Kiwano"),
                put(409, "/fruits/Kiwano", "{\"name\":\"Apple\",\"description\":\"again\"}"),
                put(404, "/fruits/Nope", "{\"name\":\"Nope\",\"description\":\"none\"}"),
                delete(204, "/fruits/Kiwano"),
                delete(204, "/fruits/Plum"),
                get(404, "/fruits/Plum"),
                delete(404, "/fruits/Plum"),
                get(404, "/nowhere"),
                get(404, "/fruits/Apple/price"),
                get(200, "/fruits/names/100"),
                get(200, "/fruits"));
    }

    private static Request get(int status, String path) {
        return new Request(status, "GET", path, Optional.empty(), "");
    }

    private static Request put(int status, String path, String body) {
        return new Request(status, "PUT", path, Optional.of(JSON), body);
    }

    private static Request delete(int status, String path) {
        return new Request(status, "DELETE", path, Optional.empty(), "");
    }

    private static Request post(int status, String body) {
        return new Request(status, "POST", "/fruits", Optional.of(JSON), body);
    }
}
