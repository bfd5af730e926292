#!/usr/bin/env bash
# Runs real Pulsar standalone (see README.md). `start.sh prepare` resolves it and stops there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${WORK:-$(mktemp -d)}
data=${DATA:-$work/run}
port=${PORT:-6650} web_port=${WEB_PORT:-8080} bookie_port=${BOOKIE_PORT:-3181}
mkdir -p "$data" "$work/log"
if ! [[ -f "$work/lib/.complete" ]]; then
  mvn -q -B -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/lib" >&2
  touch "$work/lib/.complete"
fi
if [[ "${1:-}" == prepare ]]; then
  exit 0
fi
cat > "$work/log/log4j2.xml" <<'X'
<Configuration status="WARN"><Appenders><Console name="C"><PatternLayout pattern="%d{ISO8601} %-5p %c{1.} - %m%n"/></Console></Appenders><Loggers><Root level="info"><AppenderRef ref="C"/></Root></Loggers></Configuration>
X
{
  cat "$here/standalone.conf"
  printf 'brokerServicePort=%s\nwebServicePort=%s\nstatusFilePath=%s\n' "$port" "$web_port" "$data/status"
} > "$data/standalone.conf"
cd "$data"
opens=(java.base/java.io java.base/java.util.zip java.base/java.nio java.base/jdk.internal.misc java.base/sun.nio.ch
       java.base/sun.net java.management/sun.management jdk.management/com.sun.management.internal
       java.base/jdk.internal.platform)
exec ${JAVA:-java} ${MEM:--Xms512m -Xmx512m -XX:MaxDirectMemorySize=1g} -XX:+UseG1GC \
  $(printf -- '--add-opens=%s=ALL-UNNAMED ' "${opens[@]}") \
  -Dio.netty.tryReflectionSetAccessible=true -Djava.net.preferIPv4Stack=true -Dlog4j.shutdownHookEnabled=false \
  -Dbookkeeper.metadata.bookie.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver \
  -Dbookkeeper.metadata.client.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver \
  -cp "$work/log:$work/lib/*" org.apache.pulsar.PulsarStandaloneStarter \
  --config "$data/standalone.conf" --no-functions-worker --no-stream-storage \
  --bookkeeper-dir data/bookkeeper --bookkeeper-port "$bookie_port" --metadata-dir data/metadata --num-bookies 1 -a 127.0.0.1
