package dev.kiln.fruits.spring;

import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitView;
import dev.kiln.fruits.api.NewFruit;
import jakarta.validation.Valid;
import java.net.URI;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

@RestController
@RequestMapping("/fruits")
class FruitController {
    private final FruitService fruits;

    FruitController(FruitService fruits) {
        this.fruits = fruits;
    }

    @GetMapping
    List<FruitView> all() {
        return fruits.all();
    }

    @GetMapping("/names/{count}")
    List<FruitName> names(@PathVariable String count) {
        return fruits.names(FruitName.count(count));
    }

    @GetMapping("/{name}")
    FruitView byName(@PathVariable String name) {
        return fruits.byName(name);
    }

    @PostMapping
    ResponseEntity<FruitView> add(@Valid @RequestBody NewFruit fruit, UriComponentsBuilder here) {
        FruitView added = fruits.add(fruit);
        URI location = here.pathSegment("fruits", "{name}").buildAndExpand(added.name()).encode().toUri();
        return ResponseEntity.created(location).body(added);
    }

    @PutMapping("/{name}")
    FruitView replace(@PathVariable String name, @Valid @RequestBody NewFruit fruit) {
        return fruits.replace(name, fruit);
    }

    @DeleteMapping("/{name}")
    ResponseEntity<Void> delete(@PathVariable String name) {
        fruits.delete(name);
        return ResponseEntity.noContent().build();
    }
}
