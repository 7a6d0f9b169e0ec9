package dev.kiln.jvm;

import dev.kiln.model.AotSight.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** AotReasons finds in a JVM's log why it does not use its AOT cache, or a part of it. */
public final class AotReasons {
    private static final String COLLECTOR = "collector";

    private static final String FEATURES = "cpu-features";

    private static final String CODE = "code";

    /** These reasons cost only the machine code in the cache. */
    static final List<String> PARTIAL = List.of(COLLECTOR, FEATURES, CODE);

    private static final String RETRAIN = "make the cache anew with the options of production";

    /** These are the module options by the JVM's properties. */
    private static final Map<String, String> OPTIONS = Map.of(
            "addmods", "--add-modules",
            "addopens", "--add-opens",
            "addexports", "--add-exports",
            "addreads", "--add-reads",
            "limitmods", "--limit-modules",
            "enable.native.access", "--enable-native-access",
            "main", "--module",
            "path", "--module-path");

    /** @param text of the reason; $1 and $2 stand for groups of what the JVM said */
    private record ReasonRule(String id, Pattern said, String text, String remedy) {
        ReasonRule(String id, String said, String text, String remedy) {
            this(id, Pattern.compile(said, Pattern.MULTILINE), text, remedy);
        }

        Reason of(MatchResult match) {
            String filled = text;
            for (int group = 1; group <= match.groupCount(); group++) {
                String word = match.group(group);
                filled = filled.replace("$" + group, word == null ? "" : OPTIONS.getOrDefault(word, word));
            }
            return new Reason(id, filled, remedy);
        }
    }

    /** The rules are in the words of JDK 25 to 27. Of two that fit the same words, the first is the closer one. */
    private static final List<ReasonRule> RULES = List.of(
            new ReasonRule(
                    "no-file",
                    "Specified AOT cache not found \\((.*)\\)$",
                    "there is no file $1",
                    "name the cache by its full path, or make it: kiln aot train --out FILE -- COMMAND"),
            new ReasonRule(
                    "no-right",
                    "Failed to open AOT cache \\(Permission denied\\)",
                    "the user of the JVM may not read the file",
                    "let that user read the file and its folder"),
            new ReasonRule(
                    "no-right", "Failed to open AOT cache \\((.*)\\)", "the JVM cannot open the file: $1", "mend that"),
            new ReasonRule(
                    "damaged",
                    "has been truncated|[Cc]hecksum (?:verification )?failed",
                    "the file is truncated or damaged",
                    "copy it again, or make it anew"),
            new ReasonRule(
                    "jdk-build",
                    "different version or build of HotSpot|lib/modules', (?:size|timestamp) has changed",
                    "it was made by another build of the JDK",
                    "make the cache with the JDK that uses it, and anew after each update of the JDK"),
            new ReasonRule(
                    "no-cache-format",
                    "bad magic number|Not a valid AOT cache|(?:Unable|unable) to read (?:the file|generic CDS file map) header|wrong version|header size",
                    "the file is no AOT cache, or one of a JDK with another format",
                    "make the cache with the JDK that uses it"),
            new ReasonRule(
                    "flight-recorder",
                    "jdk\\.module\\.addmods: .*\\bjdk\\.jfr\\b.*specified during runtime but not",
                    "a flight recorder starts with the JVM, and none did in the training",
                    "add --add-modules=jdk.jfr to the training, or start the recorder later: jcmd PID JFR.start"),
            new ReasonRule(
                    "agent",
                    "jdk\\.module\\.addmods: .*\\bjava\\.instrument\\b.*specified during runtime but not",
                    "a -javaagent starts with the JVM, and none did in the training",
                    "train with the agent, or load it later"),
            new ReasonRule(
                    "agent",
                    "It cannot be used (?:with|when) (.*agent.*|.*JVMTI.*|.*ClassFileLoadHook.*)$",
                    "an agent is loaded: $1",
                    "leave the agent out"),
            new ReasonRule(
                    "modules",
                    "Mismatched values for property jdk\\.module\\.([\\w.]+): (?!.*\\bjdk\\.jfr\\b|.*\\bjava\\.instrument\\b)(.*)$",
                    "$1 differs: $2",
                    "give both, training and production, the same module options"),
            new ReasonRule(
                    "object-headers",
                    "UseCompactObjectHeaders setting \\((\\w+)\\) does not equal the current UseCompactObjectHeaders setting \\((\\w+)\\)",
                    "-XX:+UseCompactObjectHeaders was $1 in the training and is $2 now",
                    RETRAIN),
            new ReasonRule(
                    "pointers",
                    "saved state of UseCompressedOops (?:and UseCompressedClassPointers|\\(\\d\\)) is different",
                    "object pointers have another size: one of both has ZGC, or a heap of 32 GB and more",
                    "make the cache anew with the collector and the heap of production"),
            new ReasonRule(
                    "alignment",
                    "ObjectAlignmentInBytes of (\\d+) does not equal the current \\w+ of (\\d+)",
                    "-XX:ObjectAlignmentInBytes was $1 in the training and is $2 now",
                    RETRAIN),
            new ReasonRule(
                    "option",
                    "'s (?!UseCompactObjectHeaders|ObjectAlignmentInBytes)(\\w+) setting \\((\\S+)\\) does not equal the current",
                    "-XX:$1 was $2 in the training",
                    RETRAIN),
            new ReasonRule(
                    "changed-jar",
                    "(?:This|A jar) file is not the one used while building .*: '(.*)', (.*)$",
                    "$1 is not the jar of the training: $2",
                    "make the cache anew after each change of a jar; copies must keep its time (cp -p)"),
            new ReasonRule(
                    "class-path",
                    "Required classpath entry does not exist: (?:.*/)?(.+)$",
                    "the jar $1 of the training is not there",
                    "give both, training and production, the same jars in the same order"),
            new ReasonRule(
                    "class-path",
                    "(?i)(?:shared class paths|boot classpath|app classpath|classpath|module ?path) mismatch|Archived (?:boot|app) classpath validation: failed|Archived module path validation: failed",
                    "the class path or module path differs",
                    "give both, training and production, the same jars in the same order; more may follow at the end"),
            new ReasonRule(
                    "switched-off",
                    "(?:AOT cache|CDS) is disabled when (.*?)\\.?$",
                    "the JVM uses no cache when $1",
                    "leave that option out"),
            new ReasonRule(
                    "switched-off",
                    "(Option AOTCache cannot be used at the same time with .*)$",
                    "$1",
                    "leave the other option out"),
            new ReasonRule(
                    COLLECTOR,
                    "AOT Code Cache disabled: it was created with (?:different GC: |GC = \")(\\w+) gc\"? vs current \"?(\\w+) gc",
                    "its machine code is for the collector $1, and this JVM has $2",
                    "make the cache anew with the collector of production"),
            new ReasonRule(
                    FEATURES,
                    "AOT Code Cache disabled: required cpu features are missing: (.*)$",
                    "its machine code needs features that this CPU lacks: $1",
                    "make the cache on the oldest kind of CPU that uses it"),
            new ReasonRule(
                    CODE,
                    "AOT Code Cache disabled: (?!it was created with (?:different GC|GC = )|required cpu features)(.*)$",
                    "its machine code does not fit: $1",
                    RETRAIN));

    /** Decorations, then the message. Further lines of the same message have an empty decoration. */
    private static final Pattern LINE =
            Pattern.compile("(?:\\[[^\\]]*])*\\[(?:error|warning)\\s*]\\[(?:aot|cds)[^\\]]*]\\s*(.*)");

    private static final Pattern CONTINUED = Pattern.compile("\\[ +]\\s*(.*)");

    /** Messages of every rejection, which give no reason. */
    private static final Set<String> COMMONPLACES = Set.of(
            "An error has occurred while processing the AOT cache. Run with -Xlog:aot for details.",
            "Unable to use AOT cache.",
            "Loading static archive failed.",
            "Unable to map shared spaces",
            "Disabling optimized module handling");

    private AotReasons() {}

    /** Returns the reasons in a JVM's log, each only once, in the order of the rules. */
    static List<Reason> in(String log) {
        List<Reason> found = new ArrayList<>();
        for (ReasonRule rule : RULES) {
            rule.said()
                    .matcher(log)
                    .results()
                    .limit(1)
                    .filter(match -> found.stream().noneMatch(one -> sameWords(one, rule)))
                    .forEach(match -> found.add(rule.of(match)));
        }
        return found;
    }

    /** Tells whether a rule only repeats a reason: the JVM adds the general words to every special one. */
    private static boolean sameWords(Reason found, ReasonRule rule) {
        return switch (rule.id()) {
            case "no-cache-format" -> found.id().equals("damaged");
            case "changed-jar" -> found.id().equals("jdk-build");
            case "class-path" ->
                List.of("class-path", "changed-jar", "jdk-build").contains(found.id());
            default -> found.id().equals(rule.id());
        };
    }

    /** Returns the JVM's first message that names a reason, else its first of an AOT cache; empty if there is none. */
    public static Optional<String> said(String log) {
        List<String> messages = messages(log);
        return messages.stream()
                .filter(message -> !COMMONPLACES.contains(message))
                .findFirst()
                .or(() -> messages.stream().findFirst());
    }

    private static List<String> messages(String log) {
        List<String> messages = new ArrayList<>();
        boolean ours = false;
        for (String line : log.lines().toList()) {
            Matcher message = LINE.matcher(line);
            Matcher more = CONTINUED.matcher(line);
            if (message.matches()) {
                messages.add(message.group(1).strip());
                ours = true;
            } else if (ours && more.matches()) {
                messages.add(more.group(1).strip());
            } else {
                ours = false;
            }
        }
        return messages;
    }
}
