package dev.kiln.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "postgres://u:p@h:5432/db|postgres://u:***@h:5432/db",
                "postgres://u:p@ss@h/db|postgres://u:***@h/db",
                "smtp://me@example.org:hunter2@h:587|smtp://me@example.org:***@h:587",
                "http://u:hunter2@[::1]:8080/x@y|http://u:***@[::1]:8080/x@y",
                "postgres://u:123-ab/c@h|postgres://u:***@h",
                "postgres://u:$ab/c@h|postgres://u:***@h",
                "jdbc:postgresql://h/db?user=u&password=hunter2&ssl=true|jdbc:postgresql://h/db?user=u&password=***&ssl=true",
                "jdbc:sqlserver://h;user=u;password=hunter2;x=1|jdbc:sqlserver://h;user=u;password=***;x=1",
                "jdbc:sqlserver://h;password={hunter2;x};x=1|jdbc:sqlserver://h;password=***;x=1",
                "http://h/x?PHPSESSID=hunter2&n=1|http://h/x?PHPSESSID=***&n=1",
                "https://discord.com/api/webhooks/123/hunter2-hunter2|https://discord.com/api/webhooks/123/***",
                "jdbc:oracle:thin:scott/tiger@h:1521/x|jdbc:oracle:thin:scott/***@h:1521/x",
                "http://h/fruits?access_token=abc&page=2|http://h/fruits?access_token=***&page=2",
                "-Dpassword=hunter2|-Dpassword=***",
                "-Dspring.datasource.password=a&b|-Dspring.datasource.password=***",
                "--api-key=abc|--api-key=***",
                "Authorization: Bearer abcdef123456|Authorization: Bearer ***",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def|***",
                "see ghp_abcdefghijklmnopqrstuvwxyz01|see ***",
                "see github_pat_11ABCDEFG0abcdefghijkl_mnop|see ***",
                "-Dtruststore.pwd=hunter2|-Dtruststore.pwd=***",
                "-Ddb.pass=hunter2|-Ddb.pass=***",
                "-DdbPwd=hunter2|-DdbPwd=***",
                "-Dstripe.key=hunter2|-Dstripe.key=***",
                "http://h/x?sig=hunter2&n=1|http://h/x?sig=***&n=1",
                "http://h/x?key=hunter2|http://h/x?key=***",
                "http://h/x?auth=hunter2|http://h/x?auth=***",
                "http://h/x?X-Amz-Signature=hunter2&X-Amz-Date=1|http://h/x?X-Amz-Signature=***&X-Amz-Date=1",
                "PGPASS=hunter2|PGPASS=***",
                "user:hunter2@tcp(h:3306)/db|user:***@tcp(h:3306)/db",
                "file:3: db.password: found 'a b', expected 1|file:3: db.password: found ***, expected 1",
                "password='correct horse' x|password=*** x",
                "password: hunter2, x|password: ***, x",
                "aws_secret_access_key = hunter2|aws_secret_access_key = ***",
                "{'password': 'hunter2'}|{'password': ***}",
                "<password>hunter2</password>|<password>***</password>",
                "user=u%26password%3Dhunter2%21%26n%3D1|user=u%26password%3D***%26n%3D1",
                "-Ddb.pw=hunter2|-Ddb.pw=***",
                "DBPASS=hunter2|DBPASS=***",
                "-Dlicense.key=hunter2|-Dlicense.key=***",
                "http://h/x?jwt=hunter2|http://h/x?jwt=***",
                "https://0123456789abcdef@h/x|https://***@h/x",
                "Authorization: Basic dXNlcjpodW50ZXIy|Authorization: Basic ***",
                "Authorization: Token hunter2|Authorization: ***",
                "Authorization: Digest username=\"u\", response=\"hunter2\"|Authorization: Digest ***",
                "Cookie: session=hunter2; a=b|Cookie: ***",
                "Set-Cookie: JSESSIONID=hunter2; HttpOnly|Set-Cookie: ***",
                "X-Api-Key: hunter2|X-Api-Key: ***",
                "java -jar x --api-key hunter2 -v|java -jar x --api-key *** -v",
                "curl -u u:hunter2 http://h|curl -u u:*** http://h",
                "curl --user=u:hunter2 http://h|curl --user=u:*** http://h",
                "sshpass -p hunter2 ssh h|sshpass -p *** ssh h",
                "openssl -passin pass:hunter2|openssl -passin pass:***",
                "https://hooks.slack.com/services/T00/B00/hunter2|https://hooks.slack.com/services/***",
                "see npm_abcdefghijklmnopqrstuvwxyz0123456789|see ***",
                "see AIzaSyA0123456789abcdefghijklmnopqrstuv|see ***",
                "postgres://u:p/w@h:5432/db|postgres://u:***@h:5432/db",
                "redis://:hunter2@h|redis://:***@h",
                "- name: DB_PASSWORD value: hunter2|- name: DB_PASSWORD value: ***",
                "{'name': 'API_TOKEN', 'value': 'hunter2'}|{'name': 'API_TOKEN', 'value': ***}",
                "see sk-0123456789abcdefghijklmnopqrstuvwxyz|see ***",
                "see shpat_0123456789abcdefghij0123|see ***",
                "see hvs.CAESIJ0123456789abcdefghij|see ***",
            })
    void aSecretIsKnownByItsNameOrItsShape(String text, String shown) {
        assertThat(Secrets.HIDDEN.text(text)).isEqualTo(shown);
        assertThat(Secrets.KEPT.text(text)).isEqualTo(text);
    }

    /** What only looks like a name of the table. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-XX:CompileThreshold=100",
                "http://h:8080/fruits?page=2&size=10",
                "https://user@h/x",
                "docker run token-service:1.2",
                "keyboard=us monkey=1 author=x",
                "a.passenger=1 compass: north",
                "PASS: peak, p99",
                "file:3: db.password: found a list, expected text",
                "it must work without a password: ssh -o BatchMode=yes me@elsewhere true",
                "kiln: --token: only letters, digits",
                "file:3: db.password: expected text",
                "file:3: api-token: must have a name",
                "http://${host}:${port}/@x",
                "http://h:8080/a/b@c",
                "http://[::1]:8080/a/b@c",
                "ssh://git@h:22/a/b@c",
                "name: checkout value: 5",
            })
    void otherTextsStay(String text) {
        assertThat(Secrets.HIDDEN.text(text)).isEqualTo(text);
    }

    @Test
    void jsonKeepsItsShape() {
        assertThat(Secrets.HIDDEN.text("{\"password\": [\"hunter2\"], \"n\": 1}"))
                .isEqualTo("{\"password\": \"***\", \"n\": 1}");
        assertThat(Secrets.HIDDEN.text("{\"user\": \"u\", \"password\": \"a \\\" b\", \"n\": 1}"))
                .isEqualTo("{\"user\": \"u\", \"password\": \"***\", \"n\": 1}");
    }

    @Test
    void aVariableOfAContainerKeepsItsShape() {
        assertThat(Secrets.HIDDEN.text("{\"name\": \"DB_PASSWORD\", \"value\": \"hunter2\"}"))
                .isEqualTo("{\"name\": \"DB_PASSWORD\", \"value\": \"***\"}");
        assertThat(Secrets.HIDDEN.text("env:\n- name: DB_PASSWORD\n  value: hunter2\n- name: A\n  value: b\n"))
                .isEqualTo("env:\n- name: DB_PASSWORD\n  value: ***\n- name: A\n  value: b\n");
    }

    @Test
    void jsonHasNumbersAndJsonInIt() {
        assertThat(Secrets.HIDDEN.text("{\"password\": 12345, \"n\": 1}"))
                .isEqualTo("{\"password\": \"***\", \"n\": 1}");
        assertThat(Secrets.HIDDEN.text("{\"in\": \"{\\\"token\\\":\\\"hunter2\\\",\\\"n\\\":1}\"}"))
                .isEqualTo("{\"in\": \"{\\\"token\\\":\\\"***\\\",\\\"n\\\":1}\"}");
    }

    @Test
    void aValueOfACommandIsHiddenWhateverItLooksLike() {
        assertThat(Secrets.HIDDEN.command(List.of(
                        "app",
                        "--pass",
                        "hunter2",
                        "--password",
                        "-hunter2",
                        "-Dpassword=correct horse",
                        "-H",
                        "X-Api-Key: hunter2",
                        "-u",
                        "me:hunter2",
                        "--port",
                        "80")))
                .containsExactly(
                        "app",
                        "--pass",
                        "***",
                        "--password",
                        "***",
                        "-Dpassword=***",
                        "-H",
                        "X-Api-Key: ***",
                        "-u",
                        "me:***",
                        "--port",
                        "80");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Dkeyboard=us",
                "monkey=1",
                "-Dbypass.count=3",
                "http://localhost:8123/x?passenger=2&keys=3",
                "http://localhost:8123/fruits?page=2",
                "-XX:+UseParallelGC",
                "-Xlog:gc*=info:file=gc.log",
                "java -jar app.jar --server.port=8123",
                "jdbc:postgresql://127.0.0.1:8124/kiln",
                "mail me@example.org"
            })
    void whatIsNoneStays(String text) {
        assertThat(Secrets.HIDDEN.text(text)).isEqualTo(text);
    }

    @Test
    void namesOfVariablesAndHeaders() {
        Map<String, String> values = Map.of(
                "DB_PASSWORD",
                "p",
                "API_KEY",
                "k",
                "Cookie",
                "c",
                "PWD",
                "/home",
                "PATH",
                "/bin",
                "TOKEN",
                "",
                "DATABASE_URL",
                "postgres://u:p@h");
        assertThat(Secrets.HIDDEN.named(values))
                .isEqualTo(Map.of(
                        "DB_PASSWORD",
                        "***",
                        "API_KEY",
                        "***",
                        "Cookie",
                        "***",
                        "PWD",
                        "/home",
                        "PATH",
                        "/bin",
                        "TOKEN",
                        "",
                        "DATABASE_URL",
                        "postgres://u:***@h"));
    }

    @Test
    void anOptionsNextWordIsItsValue() {
        List<String> shown = Secrets.HIDDEN.command(List.of("app", "--db-password", "hunter2", "--token-file", "-x"));
        assertThat(shown).containsExactly("app", "--db-password", "***", "--token-file", "-x");
        assertThat(Secrets.hiddenIn(shown)).isTrue();
    }

    @Test
    void aUrlStaysAUrl() {
        assertThat(URI.create(Secrets.HIDDEN.text("http://u:p@h:1/x?token=abc")))
                .isEqualTo(URI.create("http://u:***@h:1/x?token=***"));
        URI address = URI.create("http://[::1]:8080/users/me@example.org?n=1");
        assertThat(URI.create(Secrets.HIDDEN.text(address.toString()))).isEqualTo(address);
    }

    /** A body may be a megabyte of anything. Names are bounded at some hundred characters, and this is far beyond. */
    @Test
    void aLongTextTakesNoLongTime() {
        String text = "password".repeat(4_000) + "\"".repeat(20_000) + "a:b/".repeat(20_000);
        assertThat(Secrets.HIDDEN.text(text)).isNotEmpty();
    }
}
