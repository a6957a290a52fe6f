#!/bin/sh
# Installs what is missing. Where nothing is, it takes some milliseconds and no network.
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.installed

wanted() {
  uname -sm
  cksum pnpm-lock.yaml pnpm-workspace.yaml package.json packages/*/package.json apps/*/package.json
}

complete() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ] || return 1
  for manifest in packages/*/package.json apps/*/package.json; do
    [ -d "${manifest%/package.json}/node_modules" ] || return 1
  done
  node_modules/.bin/node --version >/dev/null 2>&1
}

if ! complete; then
  echo 'Installing dependencies …' >&2
  rm -f "$stamp"
  sh tools/pnpm.sh install --frozen-lockfile --silent
  wanted >"$stamp"
fi
