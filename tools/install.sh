#!/bin/sh
# Installs missing dependencies. If none is missing, this takes milliseconds and needs no network.
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

# Rebuild the console if its sources have changed.
built=apps/console/dist/.built
sources() {
  cksum pnpm-lock.yaml
  find apps/console/*.html apps/console/vite.config.ts apps/console/src packages/client/src packages/contract/src -name '*.test.ts' -prune -o -type f -exec cksum {} +
}
if ! { [ -f "$built" ] && [ "$(cat "$built")" = "$(sources)" ]; }; then
  echo 'Building the console …' >&2
  # Replace the old build only when the new one is complete.
  PATH="$PWD/node_modules/.bin:$PATH" sh -c 'cd apps/console && node node_modules/vite/bin/vite.js build --outDir node_modules/.built --logLevel warn && rm -rf node_modules/.old && { [ ! -e dist ] || mv dist node_modules/.old; } && mv node_modules/.built dist && rm -rf node_modules/.old'
  sources >"$built"
fi
