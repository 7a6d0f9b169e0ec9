package dev.kiln.importer.program;

import dev.kiln.files.InputFile;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * JMeterXml reads JMeter's JTL in XML: {@code <httpSample t="12" ts="1780390800000" s="true" rc="200" rm="OK">}. A sample
 * within another one, such as a redirect or a picture of a page, is part of it; a transaction behind its samples sums them up
 * and is none.
 */
public final class JMeterXml {
    public static final Format FORMAT =
            Format.loads("JMeter's JTL in XML", head -> head.text().contains("<testResults"), JMeterXml::of);

    /** A {@code statSample} stands for several. */
    private static final Set<String> SAMPLES = Set.of("httpSample", "sample", "statSample");

    private static final long MILLI = 1_000_000;

    private JMeterXml() {}

    public static Optional<LoadSource> of(Path file) {
        return RequestLog.of("JMeter", file, true, 100_000_000, JMeterXml::parse);
    }

    private static void parse(Path file, Consumer<Request> requests, Consumer<String> gaps) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        long last = 1;
        int depth = 0;
        JMeterSamples samples = new JMeterSamples(false);
        try (InputStream in = InputFile.followed(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            while (xml.hasNext()) {
                int event = xml.next();
                last = xml.getLocation().getLineNumber();
                if (event == XMLStreamConstants.START_ELEMENT && isSample(xml)) {
                    if (depth++ == 0) {
                        accept(samples, request(file, xml), xml, requests);
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT && isSample(xml)) {
                    depth--;
                }
            }
        } catch (XMLStreamException e) {
            // JMeter writes the end of the document when the test ends; a test that was killed has none.
            gaps.accept(file + ":" + last + ": the document ends or is broken here, and what follows is left out");
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
        samples.end(file.toString(), gaps);
    }

    private static void accept(
            JMeterSamples samples, Request request, XMLStreamReader xml, Consumer<Request> requests) {
        if (samples.isRequest(
                new JMeterSamples.JMeterSample(text(xml, "tn"), text(xml, "lb"), text(xml, "rm"), 0, request))) {
            requests.accept(request);
        }
    }

    private static boolean isSample(XMLStreamReader xml) {
        return SAMPLES.contains(xml.getLocalName());
    }

    private static Request request(Path file, XMLStreamReader xml) {
        String place = file + ":" + xml.getLocation().getLineNumber();
        JMeterCsv.refuseSum(place, text(xml, "sc"));
        return new Request(
                number(place, xml, "ts") * MILLI,
                number(place, xml, "t") * MILLI,
                JMeterCsv.outcome(text(xml, "s"), text(xml, "rc"), text(xml, "rm")),
                place);
    }

    private static String text(XMLStreamReader xml, String name) {
        return Optional.ofNullable(xml.getAttributeValue(null, name)).orElse("");
    }

    private static long number(String place, XMLStreamReader xml, String name) {
        String text = text(xml, name);
        if (!text.matches("\\d{1,13}")) {
            throw KilnException.usage(
                    place + ": found '" + text + "' for " + name + ", expected ms",
                    "restore the file as JMeter wrote it");
        }
        return Long.parseLong(text);
    }
}
