import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '@plugin-config/persistence';
import { startEmbeddedPostgres } from '@plugin-config/persistence/embedded';
import { benchHttp } from './http/http-bench.ts';
import { httpTable } from './http/http-table.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});

const dataDir = await mkdtemp(join(tmpdir(), 'plugin-config-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
try {
  await migrate(postgres.url);
  const { rows, residentMb } = await benchHttp({
    databaseUrl: postgres.url,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    only: values.only,
  });
  const [cpu] = cpus();
  console.log(
    `${availableParallelism()} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
  );
  console.log(httpTable(rows));
  console.log(`HTTP process after the load: ${Math.round(residentMb)} MB resident`);
} finally {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
