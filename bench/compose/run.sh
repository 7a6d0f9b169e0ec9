#!/usr/bin/env bash
# Does a service that compose or a Deployment starts come to the same peak, in the same time, as one that Kiln starts? The demo's two
# variants are measured by experiments/compose, as a Deployment by `podman kube play`, and started by Kiln, each with the same database;
# the service has CPU 0, load and database CPU 1.
# Usage: run.sh [--out DIR] [--runs 5] [--order "composed deployed started"]
#   COMPOSE='docker compose', or podman-compose; a Deployment needs podman-compose
# Two CPUs, root, nothing else on the machine; five runs of each take three quarters of an hour.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
compose=${COMPOSE:-docker compose}
out=$here/out runs=5 order="composed deployed started"
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2 ;;
    --runs) runs=$2 ;;
    --order) order=$2 ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift 2
done
mkdir -p "$out"
out=$(cd "$out" && pwd)
"$root/mvnw" -q -f "$root/workloads/fruits-spring/pom.xml" -DskipTests package
cat > "$out/cpus.yml" <<'YAML'
services:
  database: {cpuset: "1", ports: ["127.0.0.1:5433:5432"]}
  app: {cpuset: "0"}
YAML
files="-f $root/experiments/compose/compose.yml"
up="up -d --no-deps --force-recreate app"
common="load: {url: 'http://localhost:8080/fruits', connections: 100}
protocol: [{load: 50s}, {pause: 10s}, {load: 15s}]
runs: $runs
prepare: $compose $files -f $out/cpus.yml up -d database
cleanup: $compose $files -f $out/cpus.yml down --volumes"
cat > "$out/composed.yaml" <<YAML
name: composed
target:
  attach: kiln-fruits
  restart: $compose $files -f $out/cpus.yml $up
  stop: $compose $files -f $out/cpus.yml stop app
variants:
  platform:
  virtual:
    restart: $compose $files -f $root/experiments/compose/virtual.yml -f $out/cpus.yml $up
$common
YAML
cat > "$out/started.yaml" <<YAML
name: started
target:
  command: java -jar $root/workloads/fruits-spring/target/app/fruits-spring.jar
  jdk: $("$root/kiln" --jdk-home)
  environment:
    SERVER_PORT: "8080"
    SPRING_DATASOURCE_URL: jdbc:postgresql://localhost:5433/kiln
    SPRING_DATASOURCE_USERNAME: kiln
    SPRING_DATASOURCE_PASSWORD: kiln
    JAVA_TOOL_OPTIONS: -Xmx512m -XX:+UseSerialGC
variants:
  platform:
  virtual:
    environment: {SPRING_THREADS_VIRTUAL_ENABLED: "true"}
$common
YAML
deployment() {
  cat <<YAML
apiVersion: apps/v1
kind: Deployment
metadata: {name: fruits}
spec:
  replicas: 1
  selector: {matchLabels: {app: fruits}}
  template:
    metadata: {labels: {app: fruits}}
    spec:
      containers:
        - name: app
          image: docker.io/library/eclipse-temurin:25-jre
          imagePullPolicy: IfNotPresent
          command: [java, -jar, /app/fruits-spring.jar]
          env:
            - {name: SERVER_PORT, value: "8080"}
            - {name: SPRING_DATASOURCE_URL, value: "jdbc:postgresql://DATABASE:5432/kiln"}
            - {name: SPRING_DATASOURCE_USERNAME, value: kiln}
            - {name: SPRING_DATASOURCE_PASSWORD, value: kiln}
            - {name: SPRING_THREADS_VIRTUAL_ENABLED, value: "$1"}
            - {name: JAVA_TOOL_OPTIONS, value: "-Xmx512m -XX:+UseSerialGC"}
          ports: [{containerPort: 8080, hostPort: 8080, hostIP: 127.0.0.1}]
          volumeMounts: [{name: app, mountPath: /app, readOnly: true}]
      volumes:
        - name: app
          hostPath: {path: $root/workloads/fruits-spring/target/app, type: Directory}
YAML
}
deployment false > "$out/platform.pod.yaml"
deployment true > "$out/virtual.pod.yaml"
# The database gets another address with each start.
cat > "$out/play.sh" <<SH
#!/bin/sh
set -e
address=\$(podman inspect -f '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' compose_database_1)
sed "s#//DATABASE:#//\$address:#" "$out/\$1.pod.yaml" > "$out/now.pod.yaml"
exec taskset -c 0 podman kube play --replace --network compose_default "$out/now.pod.yaml"
SH
cat > "$out/deployed.yaml" <<YAML
name: deployed
target:
  attach: fruits-pod-0-app
  restart: sh $out/play.sh platform
  stop: podman kube down $out/now.pod.yaml
variants:
  platform:
  virtual: {restart: sh $out/play.sh virtual}
$common
YAML
for one in $order; do
  "$root/kiln" run "$out/$one.yaml" --results "$out/$one" > "$out/$one.log"
  sed -n '/req\/s, end/,/^$/p' "$out/$one.log"
done
for one in composed deployed; do
  [ -d "$out/started" ] && [ -d "$out/$one" ] || continue
  "$root/kiln" compare "$(ls -d "$out"/started/*/ | tail -1)" "$(ls -d "$out/$one"/*/ | tail -1)"
done
