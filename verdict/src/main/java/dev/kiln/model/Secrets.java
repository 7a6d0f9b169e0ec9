package dev.kiln.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Secrets says what becomes of passwords and tokens: {@code ***} takes their place, or they are kept. They are known by
 * the name beside them, such as {@code DB_PASSWORD} or {@code ?access_token=}, or by their shape, such as {@code
 * postgres://user:password@host}. A secret without such a name or shape is not recognised.
 */
public enum Secrets {
    HIDDEN,
    KEPT;

    /** This text takes the place of a secret; a URL with it is still a URL. */
    public static final String MASK = "***";

    /** The words that mark a name as that of a secret wherever they stand in it. */
    private static final String WORD = "(?:passw|passphrase|passcode|kennwort|secret|token|credential|signature"
            + "|authorization|cookie|sess(?:ion)?[-_.]?id|(?:store|key|user|db|admin|root)(?:pass|pwd|pw)(?![a-z])"
            + "|(?:api|access|private|priv|account|shared|signing|encryption|client|master|license|subscription|app)[-_.]?key)";

    /** These words mark a secret only at the end of a name, as in {@code stripe.key}; {@code PWD} is none. */
    private static final String LAST =
            "(?:(?:(?<![A-Za-z0-9])|(?<=-D))(?:pass|auth|pat|sig|key|pw|jwt|creds|bearer|(?<!^)pwd)|(?-i:pwd)|pgpass"
                    + "|(?-i:(?<=[a-z])(?:Pass|Pwd|Pw)))"
                    + "(?![\\w.-])";

    /** The rest of a name. It is bounded, so that no text takes long. */
    private static final String PART = "[\\w.-]{0,60}";

    /** A whole name, on the left of a value. */
    private static final String NAMED = "(?:" + PART + WORD + PART + "|" + PART + LAST + ")";

    private static final Pattern NAME = Pattern.compile("(?i)" + WORD + "|(?:^|[-_.])(?:pass|auth|pat)[-_.]|" + LAST);

    /** An option whose next word is its value, such as {@code --password}. */
    private static final Pattern OPTION = Pattern.compile("(?i)--?" + NAMED);

    /** An option whose next word is the secret even with a hyphen in front; {@code --password-file} is none. */
    private static final Pattern OPTION_OF_VALUE =
            Pattern.compile("(?i)--?" + PART + "(?:" + WORD + "(?:ord|d|wd|s)?|" + LAST + ")");

    /** An option of curl and others whose next word is {@code user:password}. */
    private static final Pattern LOGIN = Pattern.compile("-u|--user|--proxy-user|-U");

    /** A word of a command that is a name and a value with blanks in it, or a header. */
    private static final Pattern WHOLE = Pattern.compile("(?is)((?:--?D?)?" + NAMED + "(?:=|:\\s)|x-" + NAMED + ":).+");

    /** A value in a text goes to the end of its quotes, or to the next blank. */
    private static final String QUOTED_OR_WORD = "(?:\"[^\"\\n]{0,1000}\"|'[^'\\n]{0,1000}'|[^\\s\"',}]+)";

    /** The two fields of a variable, in YAML or JSON, up to its value. */
    private static final String VARIABLE = "\\bname[\"']?\\s{0,3}[:=]\\s{0,3}[\"']?" + NAMED
            + "[\"']?[\\s,]{1,40}[\"']?value[\"']?\\s{0,3}[:=]\\s{0,3}";

    /** Kiln's own message about a key stands where its value would: only what it quotes is hidden. */
    private static final String MESSAGE = "(?:found\\s(?=['\"]))?(?!(?:found|expected|is|must|unknown)\\s)";

    /** A secret in a text is known by these shapes, which apply in this order, each with what takes its place. */
    private static final List<SecretShape> SHAPES = List.of(
            shape("-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", MASK),
            // A user may be an address of mail. What begins with a bracket is an address of IPv6, and has colons
            // itself.
            shape("([a-zA-Z][\\w+.-]{0,30}://[^/\\s:\\[]{0,200}:)[^/\\s]{0,1000}(@)", "$1" + MASK + "$2"),
            // The same with a slash in the password, which is no port and a path.
            shape(
                    "([a-zA-Z][\\w+.-]{0,30}://[^/\\s:@\\[]{0,200}:)(?!\\d{1,5}[/?#,;]|\\$[{(]|\\*)[^\\s@\"']{1,200}(@)",
                    "$1" + MASK + "$2"),
            // A token in place of a user: no name is as long.
            shape("(://)[^/\\s:@]{16,200}(@)", "$1" + MASK + "$2"),
            shape(
                    "(?i)(//(?:hooks\\.slack\\.com/services|discord(?:app)?\\.com/api/webhooks/\\d{1,30})/)[\\w/-]{10,}",
                    "$1" + MASK),
            shape("(jdbc:oracle:\\w{1,30}:[^/\\s]{1,200}/)[^@\\s]{1,1000}(@)", "$1" + MASK + "$2"),
            shape("\\b([\\w.-]{1,60}:)[^@\\s/]{1,200}(@(?:tcp|udp|unix)\\()", "$1" + MASK + "$2"),
            // A driver takes what stands in braces for one value, whatever is in it.
            shape("(?i)([?&;]" + NAMED + "=)(?:\\{[^}\\n]{0,1000}}|[^&;#\\s\"']*)", "$1" + MASK),
            shape("(?i)(?<![?&;\\w.-])(" + NAMED + "=)(?:\"[^\"\\n]{0,1000}\"|'[^'\\n]{0,1000}'|\\S+)", "$1" + MASK),
            shape("(?i)(" + NAMED + "%3D)(?:[^%&\\s\"']|%(?!26))+", "$1" + MASK),
            shape("(?i)(<(" + NAMED + ")>)[^<]{1,1000}(?=</\\2>)", "$1" + MASK),
            shape("(?i)(\"" + NAMED + "\"\\s{0,10}:\\s{0,10})\\[[^\\]]{1,1000}\\]", "$1\"" + MASK + "\""),
            // A variable of a container, as Kubernetes has it: its name and its value are two fields.
            shape("(?i)(" + VARIABLE + ")\"(?:[^\"\\\\]|\\\\.)*+\"", "$1\"" + MASK + "\""),
            shape("(?i)(" + VARIABLE + ")(?![\"*])(?:'[^'\\n]{0,1000}'|[^\\s\"',}]+)", "$1" + MASK),
            // Headers: Authorization has a scheme, which stays; a cookie has several.
            shape(
                    "(?i)((?:set-)?cookie\"?\\s{0,3}:\\s{0,3}\"?|authorization\"?\\s{0,3}:\\s{0,3}+\"?+"
                            + "(?!bearer\\s|basic\\s|digest\\s))[^\\n\"']+",
                    "$1" + MASK),
            shape("(?i)(authorization\"?\\s{0,3}:\\s{0,3}\"?digest\\s)[^\\n]+", "$1" + MASK),
            shape("(?i)(?<![\\w.-])(x-" + NAMED + ":\\s{0,3})[^\\s\"']+", "$1" + MASK),
            shape(
                    "(?i)(?<![\\w.-])((?!" + PART + "(?:authorization|cookie))" + PART + WORD + PART
                            + "'?\\s{0,3}=\\s{0,3})(?!\\*)" + QUOTED_OR_WORD,
                    "$1" + MASK),
            // As YAML and a log have it: where a name may stand. Prose has colons too, and a message is no secret.
            shape(
                    "(?im)((?:^|[{,:;(])\\s{0,20}(?:-\\s)?'?(?!-)(?!" + PART + "(?:authorization|cookie))" + PART + WORD
                            + PART + "'?\\s{0,3}:\\s{1,3}" + MESSAGE + ")(?!\\*)" + QUOTED_OR_WORD,
                    "$1" + MASK),
            // Words of a command in a text, such as that of a shell.
            shape(
                    "(?i)((?:^|\\s)--?" + PART + "(?:" + WORD + "(?:ord|d|wd|s)?|" + LAST + ")\\s{1,3})(?!-)"
                            + QUOTED_OR_WORD,
                    "$1" + MASK),
            shape("((?:^|\\s)(?:-u|-U|--user|--proxy-user)[ =]?['\"]?[^\\s:'\"]{1,100}:)[^\\s'\"]+", "$1" + MASK),
            shape("\\b(sshpass\\s{1,3}-p\\s{0,3})" + QUOTED_OR_WORD, "$1" + MASK),
            shape("(?<![\\w.-])(pass:)[^\\s\"']+", "$1" + MASK),
            // JSON, and JSON in a text of JSON, whose quotes are escaped.
            shape(
                    "(?i)(\"" + NAMED + "\"\\s{0,10}:\\s{0,10})(?:\"(?:[^\"\\\\]|\\\\.)*+\"|-?\\d[\\d.eE+-]{0,40})",
                    "$1\"" + MASK + "\""),
            shape(
                    "(?i)((\\\\{1,3}\")" + NAMED
                            + "\\2\\s{0,10}:\\s{0,10})(?:\\2[^\"\\\\]{0,1000}\\2|-?\\d[\\d.eE+-]{0,40})",
                    "$1$2" + MASK + "$2"),
            shape("(?i)\\b(bearer|basic)\\s+[\\w+/=.~-]{6,}", "$1 " + MASK),
            shape("\\beyJ[\\w-]{10,}\\.[\\w-]+\\.[\\w-]*", MASK),
            shape(
                    "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b|\\bgh[oprsu]_\\w{20,}|\\bgithub_pat_\\w{20,}|\\bglpat-[\\w-]{20,}"
                            + "|\\bxox[abprs]-[\\w-]{10,}|\\b[sr]k_(?:live|test)_\\w{10,}|\\bnpm_\\w{30,}|\\bAIza[\\w-]{30,}"
                            + "|\\bsk-(?:proj-|ant-)[\\w-]{16,}|\\bsk-\\w{32,}|\\bxapp-[\\w-]{10,}"
                            + "|\\bshp(?:at|ca|pa|ss)_\\w{20,}|\\bdckr_pat_[\\w-]{20,}|\\bSG\\.[\\w-]{16,}\\.[\\w-]{16,}|\\bya29\\.[\\w-]{20,}"
                            + "|\\bdop_v1_\\w{40,}|\\bpypi-[\\w-]{20,}|\\bhv[sb]\\.[\\w-]{20,}|\\bgl[a-z]{2,5}-[\\w-]{20,}",
                    MASK));

    private record SecretShape(Pattern pattern, String replacement) {}

    private static SecretShape shape(String pattern, String replacement) {
        return new SecretShape(Pattern.compile(pattern), replacement);
    }

    /** Hides the secrets in any text: an argument, a URL, a message. */
    public String text(String text) {
        String shown = text;
        if (this == HIDDEN) {
            for (SecretShape shape : SHAPES) {
                shown = shape.pattern.matcher(shown).replaceAll(shape.replacement);
            }
        }
        return shown;
    }

    /** Hides the whole value of a variable or header whose name is that of a secret, else the secrets in the value. */
    public String value(String name, String value) {
        return this == HIDDEN && !value.isEmpty() && NAME.matcher(name).find() ? MASK : text(value);
    }

    public Map<String, String> named(Map<String, String> values) {
        Map<String, String> shown = new HashMap<>();
        values.forEach((name, value) -> shown.put(name, value(name, value)));
        return shown;
    }

    /** Hides the secrets in the words of a command; an option's value is hidden by the option before it. */
    public List<String> command(List<String> words) {
        if (this == KEPT) {
            return List.copyOf(words);
        }
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            shown.add(word(i == 0 ? "" : words.get(i - 1), words.get(i)));
        }
        return List.copyOf(shown);
    }

    private String word(String before, String word) {
        boolean value = !word.startsWith("-") && OPTION.matcher(before).matches();
        if (value || OPTION_OF_VALUE.matcher(before).matches()) {
            return MASK;
        }
        int colon = word.indexOf(':');
        if (colon > 0 && LOGIN.matcher(before).matches()) {
            return word.substring(0, colon + 1) + MASK;
        }
        Matcher whole = WHOLE.matcher(word);
        return whole.matches() ? whole.group(1) + MASK : text(word);
    }

    /** Hides the secrets in each of these texts. */
    public List<String> texts(List<String> texts) {
        return texts.stream().map(this::text).toList();
    }

    /** Tells whether a secret was hidden in any of these words. */
    public static boolean hiddenIn(List<String> words) {
        return words.stream().anyMatch(word -> word.contains(MASK));
    }
}
