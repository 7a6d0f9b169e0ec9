import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An UndonePlace is a folder with a service that others start, its scripts, and what they change. The scripts keep a book. */
abstract class UndonePlace extends KillPlace {
    private static final String BEFORE = "limits: 512m\n";

    UndonePlace(Path root, List<String> kilnWords) throws IOException {
        super(root, kilnWords, "conf.d", "bin");
        Files.writeString(folder.resolve("deployed"), BEFORE);
        script("do.sh", """
                case "$1" in
                  prepare) touch prepared ;;
                  cleanup) rm -f prepared ;;
                  override) echo limits: 1g > conf.d/override ;;
                  override-off) rm -f conf.d/override ;;
                  patch) echo limits: 2g > deployed ;;
                  patch-off) echo limits: 512m > deployed ;;
                esac
                echo "$1" >> book
                """);
    }

    /** Writes an experiment with these targets and variants. */
    void experiment(String targets, int port) throws IOException {
        Files.writeString(folder.resolve("undone.yaml"), """
                name: undone
                prepare: ./do.sh prepare
                cleanup: ./do.sh cleanup
                %sload: {url: 'http://localhost:%d/', connections: 4}
                protocol: load=2s,pause=1s,load=1s
                runs: 1
                """.formatted(targets, port));
    }

    /** How many commands have run. */
    int commands() throws IOException {
        Path book = folder.resolve("book");
        return Files.exists(book) ? Files.readAllLines(book).size() : 0;
    }

    /** What is not as it was before. */
    List<String> changed() throws IOException {
        List<String> left = new ArrayList<>();
        if (!Files.readString(folder.resolve("deployed")).equals(BEFORE)) {
            left.add("the patch");
        }
        if (Files.exists(folder.resolve("conf.d/override"))) {
            left.add("the override");
        }
        if (Files.exists(folder.resolve("prepared"))) {
            left.add("what was prepared");
        }
        return left;
    }

    @Override
    List<String> left() throws IOException {
        List<String> left = changed();
        left.addAll(super.left());
        return left;
    }
}
