import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Tenant } from './tenant.ts';

const PAUSE_MS = 25;
const LONGEST_MS = 1_000;

interface Part {
  readonly times: number[];
  readonly refused: string[];
}

/** A tenant that reads, writes and pushes a little all the time. */
export interface Neighbour {
  /** Stops the neighbour. Throws if one of its requests took a second or was refused. */
  expectUnharmed(): Promise<void>;
}

/** @param limit the number of records that its listings ask for; few if the tenant has large ones */
export async function neighbour(tenant: Tenant, limit = 100): Promise<Neighbour> {
  const { pluginConfigs } = tenant;
  const id = await tenant.attach();
  let stopped = false;
  let change = 0;
  const works = {
    list: () => pluginConfigs.list({ limit }).page(),
    read: () => pluginConfigs.retrieve(id),
    log: () => pluginConfigs.logs(id, { limit: 10 }).page(),
    write: () => pluginConfigs.update(id, { description: `change ${++change}` }),
    push: async () => {
      const { status } = await tenant.push([{ plugin_config_id: id, message: `message ${++change}` }]);
      if (status !== 200) throw new Error(`A push was answered ${status}.`);
    },
  };
  // The first push of a day makes its tables.
  await works.push();
  const parts = Object.entries(works).map(([name, work]) => {
    const part: Part = { times: [], refused: [] };
    const going = repeat(work, part, () => stopped);
    return { name, part, going };
  });
  return {
    expectUnharmed: async () => {
      stopped = true;
      await Promise.all(parts.map(({ going }) => going));
      const report = parts.map(({ name, part: { times, refused } }) => ({
        name,
        requests: times.length,
        slowest: Math.round(Math.max(...times)),
        refused: refused.slice(0, 3),
      }));
      const harmed = report.filter(
        ({ requests, slowest, refused }) => requests === 0 || slowest >= LONGEST_MS || refused.length > 0,
      );
      expect({ harmed, of: report }).toEqual({ harmed: [], of: report });
    },
  };
}

async function repeat(
  work: () => Promise<unknown>,
  { times, refused }: Part,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped()) {
    const start = performance.now();
    await work().catch((error: unknown) => refused.push(String(error)));
    times.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
}
