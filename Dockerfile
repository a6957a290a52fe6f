# One image for all processes of the service. The command selects the process. `docker build --target sample` builds another one, to try
# the service: it has an embedded database and sample data.
FROM node:26-bookworm-slim AS manifests
WORKDIR /service
RUN npm install --global pnpm@12.21.0
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY packages/clickhouse/package.json packages/clickhouse/
COPY packages/client/package.json packages/client/
COPY packages/conformance/package.json packages/conformance/
COPY packages/contract/package.json packages/contract/
COPY packages/domain/package.json packages/domain/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/flow/package.json packages/flow/
COPY packages/persistence/package.json packages/persistence/
COPY packages/server/package.json packages/server/
COPY packages/testing/package.json packages/testing/
COPY packages/tracing/package.json packages/tracing/
COPY apps/bench/package.json apps/bench/
COPY apps/cli/package.json apps/cli/
COPY apps/console/package.json apps/console/
COPY apps/e2e/package.json apps/e2e/
COPY apps/http/package.json apps/http/
COPY apps/worker/package.json apps/worker/

FROM manifests AS packages
# Without the embedded database, since a deployment has its own, and without install scripts.
RUN pnpm install --frozen-lockfile --prod --no-optional --ignore-scripts

FROM manifests AS sample-packages
# With the embedded database, whose script links its libraries.
RUN pnpm install --frozen-lockfile --prod

FROM packages AS console
RUN pnpm install --frozen-lockfile --ignore-scripts --filter @plugin-config/console
COPY tsconfig.base.json ./
COPY packages packages
COPY apps/console apps/console
RUN pnpm --filter @plugin-config/console build

FROM node:26-bookworm-slim AS service
ENV NODE_ENV=production HOST=0.0.0.0 WORKER_HOST=0.0.0.0 MALLOC_ARENA_MAX=1
WORKDIR /service
# Owned by the user of the container, because files of a private clone are readable only by their owner.
COPY --chown=node:node tsconfig.base.json ./
COPY --chown=node:node packages packages
COPY --chown=node:node apps apps
COPY --from=console --chown=node:node /service/apps/console/dist apps/console/dist
# No HEALTHCHECK, because each process listens on another port or none. The checks are in deploy/ and compose.yaml.
USER node
EXPOSE 8000 8001
ENTRYPOINT ["node", "--max-semi-space-size=16", "--no-parallel-scavenge", "--no-allocation-site-pretenuring", "--max-old-space-size=1024"]

FROM service AS sample
COPY --from=sample-packages --chown=node:node /service ./
ENV DATA_DIR=/home/node/data
CMD ["apps/cli/src/main.ts", "start", "--sample"]

FROM service
COPY --from=packages --chown=node:node /service ./
CMD ["apps/http/src/main.ts"]
