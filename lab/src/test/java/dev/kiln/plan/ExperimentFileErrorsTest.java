package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every mistake is told with its line, what was found and what was expected. */
class ExperimentFileErrorsTest {
    private static final String TARGET = "target: {command: java Main}\n";
    private static final String LOAD = "load: {url: http://localhost:8080/}\n";

    @TempDir
    private Path dir;

    @Test
    void allErrorsOfAFileAreToldAtOnce() throws IOException {
        assertThat(errors("""
                target:
                  comand: java Main
                  readines: {port: 80}
                load:
                  url: http://localhost:8080/
                  conections: 10
                  timeout: -3s
                protocol: blogg
                runs: many
                """))
                .containsExactly(
                        "2: unknown key 'comand'; did you mean 'command'?",
                        "3: unknown key 'readines'; did you mean 'readiness'?",
                        "6: unknown key 'conections'; did you mean 'connections'?",
                        "7: timeout: found '-3s', expected a duration above zero such as 500ms, 20s, 2m or 1m30s",
                        "8: protocol: unknown protocol 'blogg', expected blog, cycles, default, quick"
                                + " or phases such as load=20s,pause=5s,load=10s",
                        "9: runs: found 'many', expected a whole number from 1 to 1000,"
                                + " or until-decided[:WIDTH[:LEAST-MOST]] such as until-decided:5%:5-10");
    }

    @Test
    void callsHaveNamesThatDiffer() throws IOException {
        String load = TARGET + "load:\n  calls:\n    - {name: list, url: 'http://localhost:8080/a'}\n    - {name: ";
        String expected = "a name of at most 60 characters, without commas and quotes";
        assertThat(errors(load + "list, url: 'http://localhost:8080/b'}\n"))
                .containsExactly("5: name: found 'list' twice, expected names that differ");
        assertThat(errors(load + "other, url: 5}\n")).containsExactly("5: url: found '5', expected a URL");
        assertThat(errors(load + "'a, b', url: 'http://localhost:8080/b'}\n"))
                .containsExactly("5: name: found 'a, b', expected " + expected);
        assertThat(errors(load + "\"a\\nb\", url: 'http://localhost:8080/b'}\n"))
                .containsExactly("5: name: found 'a b', expected " + expected);
        assertThat(errors(load + "'', url: 'http://localhost:8080/b'}\n"))
                .containsExactly("5: name: found '', expected " + expected);
    }

    @Test
    void aReferenceStandsAloneAtTheEnd() throws IOException {
        String load = TARGET + "load: {url: http://localhost:8080/}\nprotocol:\n  - load: 60s\n";
        assertThat(errors(load + "  - reference: found\n"))
                .containsExactly("5: reference: found 'found', expected until-found or until-found:favoured");
        assertThat(errors(load + "  - reference: until-found\n  - load: 20s\n"))
                .containsExactly("6: protocol: found a phase after the reference, expected the reference at the end");
        assertThat(errors(load + "  - reference: until-found\n    name: peak\n"))
                .containsExactly("6: protocol: found reference and name, expected reference alone");
        assertThat(errors(load + "    name: reference-2\n  - reference: until-found\n"))
                .containsExactly("4: protocol: found a phase named 'reference-2', expected another name:"
                        + " the rounds of the reference have names like that");
        assertThat(errors(TARGET + "load: {url: http://localhost:8080/}\nprotocol:\n  - reference: until-found\n"))
                .containsExactly("4: protocol: found no load phase, expected at least one");
        assertThat(errors(TARGET
                        + "load: {url: http://localhost:8080/}\nprotocol: load=5s,reference=until-found,pause=5s\n"))
                .containsExactly("3: protocol: found a phase after the reference, expected the reference at the end");
    }

    @Test
    void unknownKeysWithoutANearOneListTheKnown() throws IOException {
        assertThat(errors(TARGET + "load: {url: http://localhost:8080/, users: 3}"))
                .containsExactly(
                        "2: unknown key 'users'; expected one of url, calls, method, headers, body, connections, http, streams, rate,"
                                + " timeout, engine, slo, tls, arrivals, feed, session, replay, success, from, ghz, jmeter, gatling, hyperfoil");
    }

    @Test
    void aSimulationsClassPathMustBeThere() throws IOException {
        String load = TARGET + "load:\n  url: http://localhost:8080/\n  engine: gatling\n";
        Files.createDirectory(dir.resolve("lib"));
        assertThat(errors(load))
                .containsExactly("4: engine: found gatling but no map 'gatling', expected one such as"
                        + " 'gatling: {simulation: com.acme.FruitsSimulation, classpath: [target/test-classes]}'");
        assertThat(errors(load + """
                  gatling:
                    simulation: 3com.acme
                    classpath:
                      - classes
                      - lib/*
                      - no/*
                    jvmFlags: -Da=${port}
                """))
                .containsExactly(
                        "6: simulation: found '3com.acme', expected the name of a class such as"
                                + " com.acme.FruitsSimulation",
                        "8: classpath: no such file or folder: " + dir.resolve("classes"),
                        "9: classpath: no jar in " + dir.resolve("lib") + " is called *",
                        "10: classpath: no such directory: " + dir.resolve("no"),
                        "11: jvmFlags: found a placeholder, expected none: the simulation gets kiln.url and kiln.port");
        assertThat(errors(TARGET + "load: {url: http://localhost:8080/, gatling: {}}"))
                .containsExactly("2: gatling: found it with engine kiln, expected 'engine: gatling'");
    }

    @Test
    void whatATestPlanOrACallOfGrpcNamesMustBeThere() throws IOException {
        String load = TARGET + "load:\n  url: http://localhost:8080/\n  engine: ";
        assertThat(errors(load + """
                jmeter
                  jmeter:
                    plan: no.jmx
                    home: nowhere
                    properties: {a: '${run.dir}'}
                    jvmFlags: -Da=${port}
                """))
                .containsExactly(
                        "6: plan: no such file: " + dir.resolve("no.jmx"),
                        "7: home: no such directory: " + dir.resolve("nowhere"),
                        "8: properties a: found ${run.dir}, expected no placeholder but ${port} and ${host}",
                        "9: jvmFlags: found a placeholder, expected none: the test plan gets the properties url and"
                                + " port");
        assertThat(errors(load + """
                ghz
                  ghz:
                    call: SayHello
                    proto: no.proto
                    imports: [nowhere]
                    data: no.json
                """))
                .containsExactly(
                        "6: call: found 'SayHello', expected a service and its method such as"
                                + " helloworld.Greeter/SayHello",
                        "7: proto: no such file: " + dir.resolve("no.proto"),
                        "8: imports: no such directory: " + dir.resolve("nowhere"),
                        "9: data: no such file: " + dir.resolve("no.json"));
        assertThat(errors(load + "ghz\n  ghz: {proto: .}\n"))
                .contains("5: ghz: found no call, expected a map with a call");
    }

    @Test
    void spellingOfCaseAndDashesIsRecognised() throws IOException {
        assertThat(errors("target: {command: java Main, jvm-flags: -Xmx1g}\n" + LOAD))
                .containsExactly("1: unknown key 'jvm-flags'; did you mean 'jvmFlags'?");
    }

    @Test
    void duplicateKeys() throws IOException {
        assertThat(errors(TARGET + LOAD + "runs: 1\nruns: 2\n"))
                .containsExactly("4: key 'runs' is given twice; the first is on line 3");
    }

    @Test
    void wrongTypes() throws IOException {
        assertThat(errors(TARGET + "load: [http://localhost:8080/]"))
                .containsExactly("2: found a list, expected a map with a url or calls");
        assertThat(errors(TARGET + "load: {url: http://localhost:8080/, connections: '5', rate: 0}"))
                .containsExactly(
                        "2: connections: found '5', expected a whole number from 1 to 100000",
                        "2: rate: found '0', expected a number above zero");
        assertThat(errors("target: {command: {java: Main}}\n" + LOAD))
                .containsExactly(
                        "1: command: found a map, expected a list of words, or one text with spaces between them");
        assertThat(errors("target: {command: java Main, environment: {A: [b]}}\n" + LOAD))
                .containsExactly("1: environment A: found a list, expected text");
        assertThat(errors(TARGET + LOAD + "name: 5\nseed: 99999999999999999999\n"))
                .containsExactly(
                        "3: name: found '5', expected text",
                        "4: seed: found '99999999999999999999', expected a whole number from"
                                + " -9223372036854775808 to 9223372036854775807");
    }

    @Test
    void variants() throws IOException {
        assertThat(errors(TARGET + LOAD + "variants: {}"))
                .containsExactly("3: variants: found an empty map, expected a map of at least one variant's name"
                        + " to what is special about it");
        assertThat(errors(TARGET + LOAD + "variants:\n  a: {extends: b}\n  b: {extends: c}\n  c: {extends: b}\n"))
                .containsExactly("5: variants extend one another in a circle: b -> c -> b");
        assertThat(errors(TARGET + LOAD + "variants:\n  first:\n  second: {extends: frist}\n"))
                .containsExactly("5: unknown variant 'frist'; did you mean 'first'?");
        assertThat(errors(TARGET + LOAD + "variants:\n  a/b:\n"))
                .containsExactly("4: variants: found 'a/b', expected a name of letters, digits, '.', '_' and '-',"
                        + " beginning with a letter or digit, 64 at most");
    }

    @Test
    void engines() throws IOException {
        String url = "load: {url: http://localhost:8080/, ";
        assertThat(errors(TARGET + url + "engine: hyperfoil}"))
                .containsExactly("2: engine: found hyperfoil but no map 'hyperfoil', expected one such as"
                        + " 'hyperfoil: {controller: http://lab1:8090}'");
        assertThat(errors(TARGET + url + "engine: wrk, hyperfoil: {controller: http://lab1:8090}}"))
                .containsExactly("2: hyperfoil: found it with engine wrk, expected 'engine: hyperfoil'");
        assertThat(errors(TARGET + url
                        + "engine: hyperfoil, hyperfoil: {controller: http://lab1:8090, target: 'http://${run.dir}'}}"))
                .containsExactly("2: target: found ${run.dir}, expected no placeholder but ${port} and ${host}");
        assertThat(errors(TARGET + url + "engine: hyperfoil, hyperfoil: {agents: [lab2], benchmark: none.yaml}}"))
                .containsExactly(
                        "2: hyperfoil: found no controller, expected the URL of a controller such as http://lab1:8090",
                        "2: benchmark: no such file: " + dir + "/none.yaml");
        assertThat(errors(TARGET + url + "engine: hyperfoil, hyperfoil: {controller: lab1, target: http://a/b}}"))
                .containsExactly(
                        "2: controller: found 'lab1', expected the URL of a controller such as http://lab1:8090",
                        "2: target: found 'http://a/b', expected scheme, host and port alone, such as"
                                + " http://10.0.0.5:${port}");
    }

    @Test
    void portsThatNoUrlHas() throws IOException {
        assertThat(errors(TARGET + "load: {url: 'http://localhost:65536/'}"))
                .containsExactly(
                        "2: url: found port 65536 in 'http://localhost:65536/', expected a port from 1 to 65535");
        assertThat(errors("target: {command: java A, readiness: {http: 'http://localhost:99999/'}}\n" + LOAD))
                .singleElement()
                .asString()
                .endsWith("found port 99999 in 'http://localhost:99999/', expected a port from 1 to 65535");
    }

    @Test
    void nothingToRun() throws IOException {
        assertThat(errors(LOAD))
                .containsExactly(
                        "1: variant baseline: nothing to run: no command, no workload and no process to attach to");
    }

    @Test
    void missingFiles() throws IOException {
        assertThat(errors("target: {command: java -jar target/app.jar}\n" + LOAD))
                .containsExactly("1: command: no such jar: " + dir + "/target/app.jar");
        assertThat(errors("target:\n  command: [./start]\n" + LOAD))
                .containsExactly("2: command: no such executable: " + dir + "/start");
        assertThat(errors("target: {command: java -Xmx1g --class-path=no.jar:classes Main}\n" + LOAD))
                .containsExactly("1: command: no such jar: " + dir + "/no.jar");
        assertThat(errors("target: {command: 'java -javaagent:no/agent.jar=a=b Main'}\n" + LOAD))
                .containsExactly("1: command: no such agent: " + dir + "/no/agent.jar");
        assertThat(errors("target: {command: java Main, jvmFlags: '-Xmx1g -javaagent:no/agent.jar=a=b'}\n" + LOAD))
                .containsExactly("1: jvmFlags: no such agent: " + dir + "/no/agent.jar");
        assertThat(errors("target: {command: java Main}\nvariants:\n  a:\n  b: {jvmFlags: '-agentpath:no/lib.so'}\n"
                        + LOAD))
                .containsExactly("1: jvmFlags: no such agent: " + dir + "/no/lib.so");
        assertThat(errors("target: {command: java @no/options}\n" + LOAD))
                .containsExactly("1: command: no such file of arguments: " + dir + "/no/options");
        assertThat(errors("target: {command: java --source 21 No.java}\n" + LOAD))
                .containsExactly("1: command: no such source file: " + dir + "/No.java");
        Files.createDirectory(dir.resolve("folder"));
        Files.writeString(dir.resolve("app.jar"), "");
        assertThat(errors("target: {command: java -jar app.jar, directory: folder}\n" + LOAD))
                .containsExactly("1: command: no such jar: " + dir + "/folder/app.jar; the command runs in " + dir
                        + "/folder: write ../app.jar");
        assertThat(errors("target: {command: java -jar app.jar}\nvariants:\n  a:\n  b: {directory: folder}\n" + LOAD))
                .hasSize(1);
        assertThat(errors("target: {command: java Main, jdk: jdk-21, directory: nowhere}\n" + LOAD))
                .containsExactly(
                        "1: jdk: no such directory or version: " + dir + "/jdk-21",
                        "1: directory: no such directory: " + dir + "/nowhere");
        assertThat(errors(TARGET + LOAD + "database: {script: none.sql}"))
                .containsExactly("3: script: no such file: " + dir + "/none.sql");
    }

    @Test
    void jdksThatCannotBeMeant() throws IOException {
        Files.createDirectories(dir.resolve("empty"));
        String which = "a version such as 21, the home directory of a JDK, or a map with version or path";
        assertThat(errors("target: {command: java Main, jdk: [21]}\n" + LOAD))
                .containsExactly("1: jdk: found a list, expected " + which);
        assertThat(errors("target: {command: java Main, jdk: {optional: true}}\n" + LOAD))
                .containsExactly("1: jdk: found nothing that says which, expected one of version, path");
        assertThat(errors("target: {command: java Main, jdk: {version: 21, path: empty}}\n" + LOAD))
                .containsExactly("1: jdk: found version and path, expected one of version, path");
        assertThat(errors("target: {command: java Main, jdk: {version: newest}}\n" + LOAD))
                .containsExactly("1: version: found 'newest', expected a version such as 21, 21.0.8 or 21+");
        Files.writeString(dir.resolve("jdk.tar.gz"), "packed");
        assertThat(errors("target: {command: java Main, jdk: jdk.tar.gz}\n" + LOAD))
                .containsExactly(
                        "1: jdk: found " + dir + "/jdk.tar.gz without bin/java, expected the home directory of a JDK");
        assertThat(errors("target: {command: java Main, jdk: {path: empty, optional: true}}\n" + LOAD))
                .containsExactly(
                        "1: path: found " + dir + "/empty without bin/java, expected the home directory of a JDK",
                        "1: jdk: found optional beside path, expected it with version");
        assertThat(errors("target: {command: java Main, jdk: {vresion: 21}}\n" + LOAD))
                .contains("1: unknown key 'vresion'; did you mean 'version'?");
    }

    @Test
    void flagsThatWouldReachNobody() throws IOException {
        assertThat(errors("target: {command: native-app}\nvariants:\n  big: {jvmFlags: -Xmx1g}\n" + LOAD))
                .containsExactly("3: variant big: jvmFlags need a command that begins with java, found 'native-app';"
                        + " for a script, set JAVA_TOOL_OPTIONS in the environment");
    }

    @Test
    void placeholders() throws IOException {
        assertThat(errors("target: {command: 'java Main ${prot}'}\n" + LOAD))
                .containsExactly("1: command: unknown placeholder '${prot}'; did you mean '${port}'?"
                        + " (write $${prot} to pass it on as it is)");
        assertThat(errors(TARGET + "load: {url: 'http://localhost:${port}/'}"))
                .containsExactly(
                        "1: variant baseline: the load goes to ${port}, but nothing tells the target that port; put"
                                + " ${port} into its arguments, JVM flags or environment, or a fixed port into the URL");
        assertThat(errors("target: {command: 'java Main ${db.url}'}\n" + LOAD))
                .containsExactly("1: variant baseline: found ${db.url} but no database,"
                        + " expected a database such as 'database: postgres'");
    }

    @Test
    void urls() throws IOException {
        assertThat(errors(TARGET.replace("}", ", readiness: {http: 'https://localhost/'}}")
                        + "load: {url: https://localhost/}"))
                .containsExactly("1: http: found 'https://localhost/', expected http:// (only the load goes over TLS)");
        assertThat(errors(TARGET + "load: {url: https://localhost/, tls: {ca: no-such.pem}, slo: fast}"))
                .hasSize(2)
                .anyMatch(text ->
                        text.startsWith("2: ca: found 'no-such.pem', which cannot be read, expected a PEM file"))
                .anyMatch(
                        text -> text.equals("2: slo: found 'fast', expected a percentile and the latency below it such"
                                + " as 'p99 < 200ms'"));
        String http = TARGET + "load: {url: http://localhost/, ";
        assertThat(errors(http + "http: 3}")).containsExactly("2: http: found '3', expected 1.1 or 2");
        assertThat(errors(http + "http: 2, streams: 0}"))
                .containsExactly("2: streams: found '0', expected a whole number from 1 to 1000");
        assertThat(errors(http + "streams: 5}"))
                .containsExactly("2: streams: found them with HTTP/1.1, expected 'http: 2' beside them");
        assertThat(errors(TARGET + "load: {url: localhost:8080}"))
                .containsExactly("2: url: found 'localhost:8080', expected a URL such as http://localhost:8080/path");
        assertThat(errors(TARGET + "load: {connections: 3}"))
                .containsExactly("2: load: found neither, expected a url or calls");
        assertThat(errors(TARGET + "load: {body: a, calls: [{url: 'http://localhost:8080/'}]}\n"))
                .containsExactly("2: body: found it beside calls, expected it in each call");
    }

    @Test
    void protocols() throws IOException {
        assertThat(errors(TARGET + LOAD + "protocol: [{pause: 5s}]"))
                .containsExactly("3: protocol: found no load phase, expected at least one");
        assertThat(errors(TARGET + LOAD + "protocol:\n  - load: 20\n  - rest: 5s\n"))
                .containsExactly(
                        "4: load: found '20', expected a duration above zero such as 500ms, 20s, 2m or 1m30s",
                        "5: unknown key 'rest'; expected one of load, pause, ramp, steps, slow-start, reference, name",
                        "5: protocol: found neither load nor pause in one phase,"
                                + " expected a phase such as 'load: 20s' or 'pause: 5s'");
        assertThat(errors(TARGET + LOAD + "protocol: [{load: 1s, name: a}, {load: 1s, name: a}]"))
                .containsExactly("3: protocol: found two phases named 'a', expected names that differ");
    }

    @Test
    void readiness() throws IOException {
        String target = "target: {command: java Main, readiness: ";
        assertThat(errors(target + "{port: 1, log: a}}\n" + LOAD))
                .containsExactly("1: found port and log, expected one of them");
        assertThat(errors(target + "{port: 70000}}\n" + LOAD))
                .containsExactly("1: port: found '70000', expected a port from 1 to 65535, or ${port}");
        assertThat(errors(target + "{log: '(a'}}\n" + LOAD))
                .containsExactly("1: log: found '(a', expected a regular expression (Unclosed group)");
    }

    @Test
    void whatIsNoYaml() throws IOException {
        assertThat(errors("")).containsExactly("1: the file is empty, expected an experiment");
        assertThat(errors("target:\n\tcommand: x\n"))
                .singleElement()
                .asString()
                .startsWith("2: not YAML: found character");
        assertThat(errors("a: b: c\n")).containsExactly("1: not YAML: mapping values are not allowed here");
        assertThat(errors("just text")).containsExactly("1: found 'just text', expected a map with target and load");
        assertThat(errors(TARGET + LOAD + "---\nname: b\n"))
                .containsExactly("4: found a second YAML document, expected one experiment per file");
        assertThat(errors("name: &a x\n" + TARGET + LOAD + "database: *a\n"))
                .contains("4: found the alias '*a'; variants share settings with 'extends'");
    }

    @Test
    void aFileThatIsNotThere() {
        KilnException failure = failure(dir.resolve("none.yaml"));
        assertThat(failure).hasMessage(dir + "/none.yaml: no such file");
        assertThat(failure(dir)).hasMessage(dir + ": is a directory");
    }

    private List<String> errors(String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve("test.yaml"), yaml);
        KilnException failure = failure(file);
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        String message = String.valueOf(failure.getMessage());
        assertThat(message.lines()).allMatch(line -> line.startsWith(file + ":"));
        return message.lines()
                .map(line -> line.substring((file + ":").length()))
                .toList();
    }

    private static KilnException failure(Path file) {
        return catchThrowableOfType(KilnException.class, () -> ExperimentFile.read(file));
    }
}
