#!/usr/bin/env bash
# Stands where Pulsar's image has a program of that name, which writes the environment into a file: bin/pulsar standalone
# reads the environment itself, so there is nothing to write, and the file system may be read-only.
set -euo pipefail
(($# > 0)) || {
  echo "Usage: $0 conf/standalone.conf" >&2
  exit 1
}
