#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL set: the one that is set already, or a private server of PostgreSQL that is
# started for it in a temporary folder, and removed after. Usage: postgres.sh COMMAND [ARGUMENT…]
# Where none is installed, CI=true lets root on Debian install one; otherwise the command does not run (exit code 3).
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT…]" >&2; exit 2; }
[ -z "${TEST_DATABASE_URL:-}" ] || exec "$@"

find_binaries() { # prints the folder with initdb, the newest where there are several
  local candidate
  for candidate in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) "$(dirname "$(command -v initdb || echo /none/none)")"; do
    [ -x "$candidate/initdb" ] && [ -x "$candidate/pg_ctl" ] && { echo "$candidate"; return; }
  done
  return 1
}

install_server() {
  [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || return 1
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2 || true
  apt-get install -y -qq -o Dpkg::Options::=--force-confold --no-install-recommends postgresql-15 >&2 ||
    apt-get install -y -qq -o Dpkg::Options::=--force-confold --no-install-recommends postgresql >&2
}

binaries=$(find_binaries) || { install_server && binaries=$(find_binaries); } || {
  echo "$0: no PostgreSQL server is installed; install one, or set TEST_DATABASE_URL" >&2
  exit 3
}

folder=$(mktemp -d /tmp/toolcrib-postgres.XXXXXX)
as_owner=()
if [ "$(id -u)" -eq 0 ]; then
  # The server refuses to run as root.
  id postgres >/dev/null 2>&1 || useradd --system --no-create-home postgres
  chown postgres "$folder"
  as_owner=(runuser -u postgres --)
fi
owner() { (cd / && "${as_owner[@]}" "$@"); }

remove() {
  owner "$binaries/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A socket in a folder of its own needs no port and no password, and nobody else reaches it.
owner "$binaries/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale --no-sync >/dev/null
owner "$binaries/pg_ctl" -D "$folder/data" -l "$folder/log" -w start -o \
  "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c max_connections=200" >/dev/null ||
  { cat "$folder/log" >&2; exit 3; }

export TEST_DATABASE_URL="postgres://postgres@localhost/postgres?host=$folder"
"$@"
