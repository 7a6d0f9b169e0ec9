import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Counts the house: every figure is made of the places that {@code --list} prints. */
final class House {
    private static final int LONG_FILE = 300;
    private static final int LONG_METHOD = 40;
    private static final int SMALL_FILE = 50;
    private static final int MOST_PARTS = 7;

    /** A comment that begins with one of these has no subject before its verb, or no verb at all. */
    private static final Set<String> WITHOUT_SUBJECT = Set.of(
            ("of as by for from in on at with without to per where when if whether how what why which who until after before"
                            + " since while between under over among beside also only so because but and or not like than"
                            + " then through within against during instead")
                    .split(" "));

    private static final Pattern ONE_LINE = Pattern.compile("^\\s*/\\*\\*\\s+(.*?)\\s*\\*/");
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);
    private static final Pattern PROSE = Pattern.compile("[A-Za-z]{2,}.* |^ .*[A-Za-z]{2,}");
    private static final Set<String> QUESTIONS =
            Set.of("startsWith", "endsWith", "contains", "equals", "equalsIgnoreCase", "matches", "indexOf");

    /** Words that are spelled in both ways in English; other words in -ise (otherwise, noise) have one spelling. */
    private static final Pattern SPELLED = Pattern.compile("(?i)([a-z]*(?:anal|paral|catal)y|(?:normal|optim|deoptim|organ|real|recogn"
            + "|summar|initial|serial|priorit|synchron|minim|maxim|general|special|visual|random|standard|categor|custom|stabil"
            + "|final|emphas|penal|util|parallel|local|capital)i)([sz])(?:e|ed|er|ers|es|ing|ation|ations)");

    private record Place(Path file, long line, String what) {
        String text(Path root) {
            return root.relativize(file) + ":" + line + ": " + what;
        }
    }

    /** What one file declares and names. */
    private record Unit(Path file, String module, String folder, String pack, String text, Set<String> named, Set<String> imported) {
        String name() {
            return file.getFileName().toString().replace(".java", "");
        }

        long lines() {
            return text.lines().count();
        }
    }

    private final Path root;
    private final SortedMap<String, List<Place>> places = new TreeMap<>();
    private final List<Unit> units = new ArrayList<>();
    private final SortedMap<String, List<Place>> types = new TreeMap<>();
    private final SortedMap<String, Integer> spelled = new TreeMap<>();
    private int comments;
    private int records;
    private int methods;

    private House(Path root) {
        this.root = root;
        List.of("comments", "names", "records", "prose", "spelling", "long-files", "long-methods", "small-files", "csv")
                .forEach(kind -> places.put(kind, new ArrayList<>()));
    }

    public static void main(String[] args) throws Exception {
        House house = new House(Path.of(args[0]).toRealPath());
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < args.length; i += 2) {
            if (!Set.of("--list", "--commits", "--log").contains(args[i]) || i + 1 == args.length) {
                System.err.println("unknown, or without its value: " + args[i] + ". Usage: the head of bench/house/run.sh");
                System.exit(2);
            }
            options.put(args[i], args[i + 1]);
        }
        house.read();
        if (options.containsKey("--list")) {
            System.exit(house.list(options.get("--list")));
        }
        boolean complete = house.print(options);
        System.exit(complete ? 0 : 1);
    }

    private int list(String kind) {
        if (!places.containsKey(kind)) {
            System.err.println("no such list: " + kind + ". There are: " + String.join(", ", places.keySet()));
            return 2;
        }
        places.get(kind).forEach(place -> System.out.println(place.text(root)));
        return 0;
    }

    /** Modules are the folders with a pom.xml and Java of their own; fixtures and workloads are targets, not Kiln. */
    private List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(root)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .filter(folder -> !folder.endsWith("fixtures"))
                    .sorted()
                    .toList();
        }
    }

    private void read() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            for (Path module : modules()) {
                try (Stream<Path> all = Files.walk(module.resolve("src/main/java"))) {
                    List<Path> sources = all.filter(file -> file.toString().endsWith(".java")).sorted().toList();
                    JavacTask task = (JavacTask) compiler.getTask(
                            null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
                    SourcePositions positions = Trees.instance(task).getSourcePositions();
                    for (CompilationUnitTree tree : task.parse()) {
                        unit(module, Path.of(tree.getSourceFile().toUri()), tree, positions);
                    }
                }
            }
        }
        types.values().stream().filter(same -> same.size() > 1).forEach(places.get("names")::addAll);
        smallFiles();
    }

    private void unit(Path module, Path file, CompilationUnitTree tree, SourcePositions positions) throws IOException {
        String text = Files.readString(file);
        Scan scan = new Scan(file, tree, positions);
        scan.scan(tree, null);
        String pack = tree.getPackageName() == null ? "" : tree.getPackageName().toString();
        Unit unit = new Unit(file, module.getFileName().toString(), pack, pack, text, scan.named, scan.imported);
        units.add(unit);
        if (unit.lines() > LONG_FILE) {
            add("long-files", file, 1, unit.lines() + " lines");
        }
        docs(file, text);
    }

    private void docs(Path file, String text) {
        long number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher doc = ONE_LINE.matcher(line);
            if (doc.find() && !doc.group(1).startsWith("@")) {
                comments++;
                String first = doc.group(1).split("[^A-Za-z-]", 2)[0].toLowerCase(Locale.ROOT);
                if (WITHOUT_SUBJECT.contains(first)) {
                    add("comments", file, number, doc.group(1));
                }
            }
        }
        COMMENT.matcher(text).results().forEach(comment -> spelling(
                file, text.substring(0, comment.start()).lines().count(), comment.group()));
    }

    private void spelling(Path file, long line, String text) {
        Matcher word = SPELLED.matcher(text);
        while (word.find()) {
            String kind = (word.group(1).endsWith("y") ? "-y" : "-i") + word.group(2).toLowerCase(Locale.ROOT) + "e";
            spelled.merge(kind, 1, Integer::sum);
            add("spelling", file, line, kind + " " + word.group());
        }
    }

    private void add(String kind, Path file, long line, String what) {
        places.get(kind).add(new Place(file, line, what));
    }

    /** A small file whose type one other file alone names. Such a type is often a part of that file. */
    private void smallFiles() {
        for (Unit unit : units) {
            if (unit.lines() >= SMALL_FILE || unit.name().equals("package-info")) {
                continue;
            }
            String full = unit.pack() + "." + unit.name();
            List<Unit> users = units.stream()
                    .filter(other -> other != unit && other.named().contains(unit.name()))
                    .filter(other -> other.pack().equals(unit.pack())
                            || other.imported().stream().anyMatch(name -> name.equals(full) || name.startsWith(full + ".")))
                    .toList();
            if (users.size() == 1) {
                add("small-files", unit.file(), 1, unit.lines() + " lines, used by " + users.getFirst().name() + " alone");
            }
        }
    }

    private boolean print(Map<String, String> options) throws IOException, InterruptedException {
        System.out.printf("| module and package | files | lines |%n|---|--:|--:|%n");
        SortedMap<String, List<Unit>> rooms = new TreeMap<>();
        for (Unit unit : units) {
            rooms.computeIfAbsent("**" + unit.module() + "**", key -> new ArrayList<>()).add(unit);
            rooms.computeIfAbsent(unit.module() + " `" + unit.folder() + "`", key -> new ArrayList<>()).add(unit);
        }
        rooms.forEach((name, in) -> row(name, in.size(), in.stream().mapToLong(Unit::lines).sum()));
        row("all", units.size(), units.stream().mapToLong(Unit::lines).sum());

        System.out.printf("%n| what | count | of |%n|---|--:|--:|%n");
        row("one-line doc comments without a subject", places.get("comments").size(), comments);
        long twice = types.values().stream().filter(same -> same.size() > 1).count();
        row("names of types used more than once", twice, types.size());
        row("records of more than " + MOST_PARTS + " parts", places.get("records").size(), records);
        row("questions to text whose answer is prose", places.get("prose").size(), "");
        row("files over " + LONG_FILE + " lines", places.get("long-files").size(), units.size());
        row("methods over " + LONG_METHOD + " lines", places.get("long-methods").size(), methods);
        row("files under " + SMALL_FILE + " lines with one user", places.get("small-files").size(), units.size());
        row("files that look for a comma character, as a reader of CSV does", distinct("csv"), units.size());
        for (String kind : List.of("-yse", "-yze", "-ise", "-ize")) {
            row("words in " + kind + " in comments and names of types", spelled.getOrDefault(kind, 0), "");
        }
        spread(options.get("--commits"));
        boolean complete = additions();
        Optional.ofNullable(options.get("--log")).ifPresent(this::time);
        return complete;
    }

    private long distinct(String kind) {
        return places.get(kind).stream().map(Place::file).distinct().count();
    }

    private static void row(Object... cells) {
        System.out.println("| " + String.join(" | ", Stream.of(cells).map(String::valueOf).toList()) + " |");
    }

    /** Commits that touch main code: how many of its files and packages. A moved file counts once, where it went. */
    private void spread(String commits) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "git", "-C", root.toString(), "log", "--no-merges", "-M", "--format=#%h", "--name-only"));
        if (commits != null) {
            command.addAll(List.of("-n", commits));
        }
        Process git = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<Integer> files = new ArrayList<>();
        List<Integer> packages = new ArrayList<>();
        Set<String> now = new HashSet<>();
        List<String> lines = new ArrayList<>(git.inputReader().lines().toList());
        lines.add("#end");
        for (String line : lines) {
            if (line.startsWith("#")) {
                if (!now.isEmpty()) {
                    files.add(now.size());
                    packages.add((int) now.stream().map(file -> file.substring(0, file.lastIndexOf('/'))).distinct().count());
                }
                now.clear();
            } else if (line.contains("/src/main/java/") && line.endsWith(".java") && !line.startsWith("workloads/")
                    && !line.startsWith("fixtures/")) {
                now.add(line);
            }
        }
        if (git.waitFor() != 0 || files.isEmpty()) {
            System.out.printf("%nNo history: git log gave no commit that touches main code.%n");
            return;
        }
        System.out.printf("%n| commits that touch main code: %d | median | 90th percentile | most |%n|---|--:|--:|--:|%n", files.size());
        row("files", at(files, 0.5), at(files, 0.9), at(files, 1));
        row("packages", at(packages, 0.5), at(packages, 0.9), at(packages, 1));
    }

    /** The smallest value that so many are not above. */
    private static int at(Collection<Integer> values, double share) {
        List<Integer> sorted = values.stream().sorted().toList();
        return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }

    /** The rehearsed set: each row of additions.tsv names a file that one of the eight additions touches or makes. */
    private boolean additions() throws IOException {
        SortedMap<String, Set<String>> files = new TreeMap<>();
        SortedMap<String, Set<String>> packages = new TreeMap<>();
        List<String> missing = new ArrayList<>();
        for (String line : Files.readAllLines(root.resolve("bench/house/additions.tsv"))) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t");
            Optional<Path> found = find(cells[1]);
            if (found.isEmpty()) {
                missing.add(cells[0] + ": " + cells[1]);
            }
            files.computeIfAbsent(cells[0], key -> new TreeSet<>()).add(cells[1]);
            found.ifPresent(file -> packages.computeIfAbsent(cells[0], key -> new TreeSet<>())
                    .add(file.getParent().toString()));
        }
        System.out.printf("%n| to add | files | packages | which |%n|---|--:|--:|---|%n");
        files.forEach((what, which) -> row(
                what, which.size(), packages.getOrDefault(what, Set.of()).size(), String.join(", ", which)));
        missing.forEach(one -> System.err.println("additions.tsv names a file that is not there: " + one));
        return missing.isEmpty();
    }

    /** By its name in main code, or by its path where it has a slash. */
    private Optional<Path> find(String name) {
        if (name.contains("/")) {
            return Optional.of(root.resolve(name)).filter(Files::exists);
        }
        Stream<Path> java = units.stream().map(Unit::file);
        return Stream.concat(java, resources()).filter(file -> file.endsWith(name)).findFirst();
    }

    private Stream<Path> resources() {
        try {
            List<Path> found = new ArrayList<>();
            for (Path module : modules()) {
                Path folder = module.resolve("src/main/resources");
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> all = Files.walk(folder)) {
                        found.addAll(all.toList());
                    }
                }
            }
            return found.stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void time(String log) {
        try {
            Matcher total = Pattern.compile("Total time: +(.+)").matcher(Files.readString(Path.of(log)));
            String last = "not in the log";
            while (total.find()) {
                last = total.group(1).strip();
            }
            System.out.printf("%nTime of verify, as its log says: %s%n", last);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** One file's tree. */
    private final class Scan extends TreeScanner<Void, Void> {
        private final Path file;
        private final CompilationUnitTree tree;
        private final SourcePositions positions;
        private final Set<String> named = new HashSet<>();
        private final Set<String> imported = new HashSet<>();

        Scan(Path file, CompilationUnitTree tree, SourcePositions positions) {
            this.file = file;
            this.tree = tree;
            this.positions = positions;
        }

        private long line(long position) {
            return tree.getLineMap().getLineNumber(position);
        }

        private long line(Tree node) {
            return line(positions.getStartPosition(tree, node));
        }

        @Override
        public Void visitImport(ImportTree node, Void nothing) {
            imported.add(node.getQualifiedIdentifier().toString());
            return null;
        }

        @Override
        public Void visitIdentifier(IdentifierTree node, Void nothing) {
            named.add(node.getName().toString());
            return null;
        }

        @Override
        public Void visitClass(ClassTree node, Void nothing) {
            String name = node.getSimpleName().toString();
            if (!name.isEmpty()) {
                types.computeIfAbsent(name, key -> new ArrayList<>()).add(new Place(file, line(node), name));
                spelling(file, line(node), String.join(" ", name.split("(?<=[a-z0-9])(?=[A-Z])")));
            }
            if (node.getKind() == Tree.Kind.RECORD) {
                records++;
                long parts = node.getMembers().stream()
                        .filter(VariableTree.class::isInstance)
                        .map(VariableTree.class::cast)
                        .filter(part -> !part.getModifiers().getFlags().contains(javax.lang.model.element.Modifier.STATIC))
                        .count();
                if (parts > MOST_PARTS) {
                    add("records", file, line(node), name + ", " + parts + " parts");
                }
            }
            return super.visitClass(node, nothing);
        }

        @Override
        public Void visitMethod(MethodTree node, Void nothing) {
            long end = positions.getEndPosition(tree, node);
            if (node.getBody() != null && end > 0 && positions.getStartPosition(tree, node) >= 0) {
                methods++;
                long lines = line(end) - line(node) + 1;
                if (lines > LONG_METHOD) {
                    add("long-methods", file, line(node), node.getName() + ", " + lines + " lines");
                }
            }
            return super.visitMethod(node, nothing);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
            if (node.getMethodSelect() instanceof MemberSelectTree select
                    && QUESTIONS.contains(select.getIdentifier().toString())) {
                List<ExpressionTree> asked = new ArrayList<>(node.getArguments());
                asked.add(select.getExpression());
                asked.stream().filter(this::prose).findFirst().ifPresent(text ->
                        add("prose", file, line(node), select.getIdentifier() + " " + text));
            }
            return super.visitMethodInvocation(node, nothing);
        }

        private boolean prose(ExpressionTree asked) {
            return asked instanceof LiteralTree literal
                    && literal.getValue() instanceof String text
                    && PROSE.matcher(text).find();
        }

        @Override
        public Void visitLiteral(LiteralTree node, Void nothing) {
            if (Character.valueOf(',').equals(node.getValue())) {
                add("csv", file, line(node), "','");
            }
            return null;
        }
    }
}
