#!/usr/bin/env bash
# Runs pulsar-perf against URL (see README.md). `perf.sh prepare` resolves it and stops there; start.sh comes first.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${WORK:?set WORK to the folder that start.sh used}
if ! [[ -f "$work/perf/.complete" ]]; then
  mvn -q -B -f "$here/perf-pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/perf" >&2
  touch "$work/perf/.complete"
fi
if [[ "${1:-}" == prepare ]]; then
  exit 0
fi
printf 'brokerServiceUrl=%s\nwebServiceUrl=http://127.0.0.1:8080\n' "${URL:-pulsar://127.0.0.1:6650}" > "$work/client.conf"
exec ${JAVA:-java} -Xmx1g --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED \
  --add-opens=java.base/sun.net=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true \
  -cp "$work/log:$work/perf/*:$work/lib/*" org.apache.pulsar.testclient.PulsarPerfTestTool "$work/client.conf" "$@"
