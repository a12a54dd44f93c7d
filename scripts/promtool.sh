#!/usr/bin/env bash
# Runs a command with PROMTOOL set to Prometheus's own rule tester: the one that is set already, or on the path.
# Usage: promtool.sh COMMAND [ARGUMENT…]
# Where there is none, CI=true lets root on Debian install it; otherwise the command does not run (exit code 3).
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT…]" >&2; exit 2; }
[ -z "${PROMTOOL:-}" ] || exec "$@"

install_promtool() {
  [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
  export DEBIAN_FRONTEND=noninteractive
  # The package starts a server where a policy lets it; only its tool is wanted.
  local policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    trap "rm -f $policy" EXIT
  fi
  apt-get update -qq >&2 || true
  apt-get install -y -qq --no-install-recommends prometheus >&2
}

command -v promtool >/dev/null || install_promtool || {
  echo "$0: promtool is not installed; install Prometheus, or set PROMTOOL" >&2
  exit 3
}
PROMTOOL=$(command -v promtool)
export PROMTOOL
"$@"
