#!/bin/sh
# Runs pnpm, in the version that wrote the lockfile.
exec npx -y --prefer-offline pnpm@12.21.0 "$@"
