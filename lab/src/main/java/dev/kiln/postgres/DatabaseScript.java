package dev.kiln.postgres;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A DatabaseScript is a script that fills a database. */
record DatabaseScript(Path file, String text) {
    private static final String REMEDY =
            "fix the database script; it runs as user kiln, who owns the database and is no superuser";

    static DatabaseScript read(Path file) {
        try {
            return new DatabaseScript(file, new String(InputFile.named(file, InputFile.TABLE), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw KilnException.usage(
                    "cannot read the database script " + file + ": " + IoReason.of(e),
                    "name a file of UTF-8 text with SQL statements",
                    e);
        }
    }

    /** Runs the script as one simple query, so that the server gives the position of an error in the file. */
    void loadInto(String jdbcUrl, String user, String password) {
        try (Connection connection = DriverManager.getConnection(jdbcUrl + "?preferQueryMode=simple", user, password);
                Statement statement = connection.createStatement()) {
            statement.execute(text);
            statement.execute("vacuum analyze");
        } catch (SQLException e) {
            throw KilnException.usage(describe(e), REMEDY, e);
        }
    }

    private String describe(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException known ? known.getServerErrorMessage() : null;
        if (server == null) {
            return file + ": " + e.getMessage();
        }
        String detail = server.getDetail() == null ? "" : " (" + server.getDetail() + ")";
        return file + line(server) + ": " + server.getMessage() + detail;
    }

    /**
     * Returns a colon and the line of an error in the file, from 1. The server gives a position to an error in a
     * statement; for an error in the data, which has none, the text is empty.
     */
    private String line(ServerErrorMessage server) {
        int position = server.getPosition();
        if (position < 1) {
            return "";
        }
        int end = text.offsetByCodePoints(0, Math.min(position - 1, text.codePointCount(0, text.length())));
        return ":" + (1 + text.substring(0, end).chars().filter(c -> c == '\n').count());
    }
}
