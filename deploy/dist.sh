#!/usr/bin/env bash
# Makes target/dist/kiln-VERSION-linux-ARCHITECTURE.tar.gz of what Maven has packaged, with a Java runtime of its own.
# The same jars and JDK give the same bytes. ./mvnw -P dist package calls it:
#   dist.sh VERSION TIME_OF_ALL_FILES
set -euo pipefail
export LC_ALL=C
umask 022
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version=$1 time=$2
# Maven may run on an older one.
jdk=$("$root/kiln" --jdk-home)
case $(uname -m) in x86_64) architecture=x64 ;; *) architecture=$(uname -m) ;; esac
name=kiln-$version-linux-$architecture.tar.gz
stage=$root/target/stage
home=$stage/kiln-$version

# What jdeps --print-module-deps --ignore-missing-deps finds in kiln.jar and its libraries, less java.desktop: they use that only
# where it is there.
modules=java.base,java.management,java.naming,java.net.http,java.security.jgss,java.sql,jdk.httpserver,jdk.jfr,jdk.unsupported

rm -rf "$stage" "$root/target/dist/"kiln-*.tar.gz*
mkdir -p "$home/bin" "$root/target/dist"
"$jdk/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages --compress zip-6 \
  --output "$home/runtime"
[ ! -f "$jdk/NOTICE" ] || cp "$jdk/NOTICE" "$home/runtime/legal/"

cp "$root/kiln" "$home/bin/kiln"
# As the documentation has it, which is for a clone.
ln -s bin/kiln "$home/kiln"
cp -r "$root/lab/target/kiln.jar" "$root/lab/target/lib" "$root/lab/target/licences" "$root/target/dist/sbom.json" "$home"
# Of libraries without a file of their own.
find "$home/licences" -type d -empty -delete
tar -C "$root" --exclude=target --exclude='build.log' --exclude='build.unfinished' -c \
  mvnw .mvn experiments workloads docs README.md CHANGELOG.md LICENSE | tar -C "$home" -x

tar -C "$stage" --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w \
  -c "kiln-$version" | gzip -9n >"$root/target/dist/$name"
rm -rf "$stage"
cd "$root/target/dist"
sha256sum "$name" >"$name.sha256"
printf 'target/dist/%s: %s MB\n' "$name" $(($(stat -c %s "$name") / 1000000))
