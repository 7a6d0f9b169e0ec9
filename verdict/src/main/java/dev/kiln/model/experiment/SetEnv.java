package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Hook.HookMoment;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A SetEnv is a restart command that sets variables of a deployment: {@code kubectl set env deployment/checkout -n shop
 * JAVA_TOOL_OPTIONS}. A name without a value, which kubectl itself does not take, stands for what the environment of the command
 * has: Kiln puts that value behind it, or a minus where there is none. So the user's own words say what may be changed.
 *
 * @param deployment name of it
 * @param namespace of it; empty where the command does not say
 * @param container whose variables are set; empty where the command does not say
 * @param context by which kubectl finds its cluster; empty where the command does not say
 * @param names of the variables
 * @param others words that say something else, of which Kiln does not know how to put it back
 */
public record SetEnv(
        String deployment,
        Optional<String> namespace,
        Optional<String> container,
        Optional<String> context,
        List<String> names,
        List<String> others) {
    /**
     * Each start sets this variable to another number: a deployment whose pods are to stay as they are starts none. A sum of what it
     * sets stands behind the number, by which another hand is seen.
     */
    public static final String MARK = "KILN_RUN";

    /** The mark has as many bytes of the sum, each as two digits. */
    private static final int SUM_BYTES = 4;

    private static final List<String> BEGINNING = List.of("kubectl", "set", "env");
    private static final Pattern OBJECT = Pattern.compile("(?:deployments?|deploy)/([a-z0-9][a-z0-9.-]*)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern STARTED = Pattern.compile("(\\d{1,18})(?:-[0-9a-f]+)?");
    private static final Pattern NAMESPACE = Pattern.compile("(?:-n=?|--namespace=)([^=-].*)");
    private static final Pattern CONTEXT = Pattern.compile("--context=(.+)");
    private static final Pattern CONTAINER = Pattern.compile("(?:-c=?|--containers=)([^=-].*)");

    public SetEnv {
        names = List.copyOf(names);
        others = List.copyOf(others);
    }

    /** Returns the one with which a target is started anew; empty where another command does that. */
    public static Optional<SetEnv> of(Target target) {
        return target.hook(HookMoment.RESTART).flatMap(SetEnv::of);
    }

    /** Returns what a command sets; empty for one of another kind, also if it brings its values along. */
    public static Optional<SetEnv> of(Hook hook) {
        List<String> words = hook.command();
        return is(words)
                ? Optional.of(read(words.subList(BEGINNING.size(), words.size())))
                        .filter(set -> !set.names.isEmpty())
                : Optional.empty();
    }

    /** Tells whether the words of a command set variables of something in a cluster, with values or without. */
    public static boolean is(List<String> command) {
        return command.size() > BEGINNING.size()
                && command.subList(0, BEGINNING.size()).equals(BEGINNING);
    }

    private static SetEnv read(List<String> words) {
        Optional<String> deployment = Optional.empty();
        Optional<String> namespace = Optional.empty();
        Optional<String> container = Optional.empty();
        Optional<String> context = Optional.empty();
        List<String> names = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            // The value of a short option may be the next word.
            boolean two = List.of("-n", "--namespace", "-c", "--containers", "--context")
                            .contains(word)
                    && i + 1 < words.size();
            String whole = two ? word + "=" + words.get(++i) : word;
            Matcher object = OBJECT.matcher(whole);
            Matcher place = NAMESPACE.matcher(whole);
            Matcher which = CONTAINER.matcher(whole);
            Matcher where = CONTEXT.matcher(whole);
            if (object.matches() && deployment.isEmpty()) {
                deployment = Optional.of(object.group(1));
            } else if (place.matches()) {
                namespace = Optional.of(place.group(1));
            } else if (which.matches()) {
                container = Optional.of(which.group(1));
            } else if (where.matches()) {
                context = Optional.of(where.group(1));
            } else {
                (NAME.matcher(whole).matches() ? names : others).add(whole);
            }
        }
        return new SetEnv(deployment.orElse(""), namespace, container, context, names, others);
    }

    /** Returns the command as it is written, with names alone. */
    public List<String> words() {
        List<String> words = new ArrayList<>(BEGINNING);
        words.add("deployment/" + deployment);
        namespace.ifPresent(name -> words.addAll(List.of("-n", name)));
        container.ifPresent(name -> words.addAll(List.of("-c", name)));
        context.ifPresent(name -> words.addAll(List.of("--context", name)));
        words.addAll(names);
        return words;
    }

    /**
     * Returns the command that starts new pods with these values.
     *
     * @param number of the start, which none before had
     */
    public List<String> start(Map<String, String> values, long number) {
        List<String> words = with(names, values);
        words.add(MARK + "=" + number + "-" + sum(values));
        return words;
    }

    /** Tells whether a start set all that a deployment has now, its mark among that, and nobody did after it. */
    public boolean isOfStart(Map<String, String> now) {
        return now.getOrDefault(MARK, "").endsWith("-" + sum(now));
    }

    /** Returns the number in the mark that a deployment has; empty where it has none of a start. */
    public static Optional<Long> number(Map<String, String> now) {
        Matcher mark = STARTED.matcher(now.getOrDefault(MARK, ""));
        return mark.matches() ? Optional.of(Long.parseLong(mark.group(1))) : Optional.empty();
    }

    /** A shell can compute it from the answer of a cluster: of a name that is not there nothing is before the sign, nor behind it. */
    private String sum(Map<String, String> values) {
        String all = names.stream()
                .sorted()
                .map(name -> (values.containsKey(name) ? name : "") + "=" + values.getOrDefault(name, "") + "\n")
                .collect(Collectors.joining());
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, SUM_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the command that gives the variables these values again, with the mark that they had or had not. */
    public List<String> back(Map<String, String> before) {
        List<String> all = new ArrayList<>(names);
        all.add(MARK);
        return with(all, before);
    }

    private List<String> with(List<String> variables, Map<String, String> values) {
        List<String> words = new SetEnv(deployment, namespace, container, context, List.of(), List.of()).words();
        for (String name : variables) {
            words.add(values.containsKey(name) ? name + "=" + values.get(name) : name + "-");
        }
        return words;
    }
}
