package dev.kiln.load.driver.http;

import dev.kiln.files.InputFile;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.load.Sending.Tls;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Trust decides whom the driver trusts over TLS, and says what is wrong with a server that it does not trust. */
final class Trust {
    /** The system's own lists of issuers: of Debian and of Fedora. The JDK's own is elsewhere. */
    private static final List<Path> SYSTEM =
            List.of(Path.of("/etc/ssl/certs/ca-certificates.crt"), Path.of("/etc/pki/tls/certs/ca-bundle.crt"));

    private Trust() {}

    /** Makes the TLS context of a session, once, because that reads the issuers. */
    static SslContext context(Tls tls, boolean http2) {
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .endpointIdentificationAlgorithm(tls.insecure() ? null : "HTTPS");
        if (http2) {
            // A server with only the older protocol names it, rather than to end the handshake.
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.NO_ADVERTISE,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2,
                    "http/1.1"));
        }
        try {
            if (tls.insecure()) {
                return builder.trustManager(InsecureTrustManagerFactory.INSTANCE)
                        .build();
            }
            Optional<Path> issuers = tls.ca().map(Path::of).or(Trust::system);
            if (issuers.isEmpty()) {
                return builder.build();
            }
            try (InputStream in = InputFile.followed(issuers.get())) {
                return builder.trustManager(in).build();
            }
        } catch (IOException e) {
            throw unreadable(tls, e, IoReason.of(e));
        } catch (IllegalArgumentException e) {
            throw unreadable(tls, e, "it holds no certificate");
        }
    }

    private static Optional<Path> system() {
        return SYSTEM.stream().filter(Files::isReadable).findFirst();
    }

    private static KilnException unreadable(Tls tls, Exception e, String why) {
        return KilnException.usage(
                "cannot read the certificates in " + tls.ca().orElse("the system's list") + ": " + why,
                "name a PEM file with the issuers to trust",
                e);
    }

    /** Says what went wrong with a handshake. */
    static AttemptResult refusal(@Nullable Throwable cause, String host) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (at instanceof CertificateExpiredException) {
                return certificate("it has expired (" + message + ")");
            }
            if (at instanceof CertificateNotYetValidException) {
                return certificate("it is not valid yet (" + message + ")");
            }
            if (at instanceof CertPathBuilderException) {
                return certificate("its issuer is not known; --ca FILE names it, --insecure trusts anybody");
            }
            if (message.startsWith("No subject alternative") || message.startsWith("No name matching")) {
                return certificate("it is not for " + host);
            }
            if (message.toLowerCase(Locale.ROOT).contains("no_application_protocol")) {
                return noHttp2("it knows none of the protocols offered");
            }
            if (message.toLowerCase(Locale.ROOT).contains("not an ssl/tls record")) {
                return AttemptResult.noAgreement("no TLS: the port answers in plain text, so the URL begins with http");
            }
        }
        Throwable last = cause;
        return AttemptResult.passing("no TLS connection: "
                + (last instanceof SSLException && last.getMessage() != null
                        ? last.getMessage()
                        : String.valueOf(last)));
    }

    private static AttemptResult certificate(String why) {
        return AttemptResult.noAgreement("certificate refused: " + why);
    }

    /** Returns the result for a server that does not speak HTTP/2, over TLS or not. */
    static AttemptResult noHttp2(String seen) {
        return AttemptResult.noAgreement("the server does not speak HTTP/2: " + seen);
    }

    /** Tells whether the connection broke because of TLS and not because of a bug. */
    static boolean broke(Throwable cause) {
        return cause instanceof SSLException || cause.getCause() instanceof SSLException;
    }
}
