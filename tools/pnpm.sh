#!/bin/sh
# The package manager of this repository, in the one version that wrote its lockfile.
exec npx -y --prefer-offline pnpm@12.21.0 "$@"
