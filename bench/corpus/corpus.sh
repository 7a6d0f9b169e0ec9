# For scripts that read bench/corpus. They source this, with root set.
corpus=$root/bench/corpus/corpus.tar.xz

# Unpacks the corpus into the folder "$1". Each run is an experiment of its own there: SERVICE/PLATFORM-NUMBER/baseline/1.
unpack_corpus() {
  [ -e "$corpus" ] || { echo "there is no $corpus: bench/corpus/add.sh makes it" >&2; return 3; }
  mkdir -p "$1"
  tar -xJf "$corpus" -C "$1"
}

# Compiles bench/truth/Corpus.java into "$1" for kiln_says. JDK and CLASSPATH name others than this tree's.
compile_corpus() {
  java=${JDK:-$("$root/kiln" --jdk-home)}/bin
  lib=$1:${CLASSPATH:-$root/kiln-cli/target/kiln.jar:$root/kiln-cli/target/lib/*}
  "$java/javac" -d "$1" -cp "$lib" "$root/bench/truth/Corpus.java"
}

# Prints what Kiln says of runs, a line for each; or with LABELS.tsv FOLDER, against those labels.
kiln_says() {
  case $1 in
    *.tsv) "$java/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$lib" Corpus "$@" ;;
    *) "$java/java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED -cp "$lib" Corpus --answers "$@" ;;
  esac
}
