#!/usr/bin/env bash
# pulsar-perf against 127.0.0.1:6650. Needs the lib folder that start.sh resolved (same WORK).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:?set WORK to the folder that start.sh used}
if ! ls "$work/perf"/pulsar-testclient-*.jar >/dev/null 2>&1; then
  mvn -q -B -f "$here/perf-pom.xml" dependency:copy-dependencies -DoutputDirectory="$work/perf"
fi
port=${PORT:-6650} web_port=${WEB_PORT:-8080}
printf 'brokerServiceUrl=pulsar://127.0.0.1:%s\nwebServiceUrl=http://127.0.0.1:%s\n' "$port" "$web_port" > "$work/client.conf"
exec ${JAVA:-java} -Xmx512m --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED \
  --add-opens=java.base/sun.net=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true \
  -cp "$work/log:$work/perf/*:$work/lib/*" org.apache.pulsar.testclient.PulsarPerfTestTool "$work/client.conf" "$@"
