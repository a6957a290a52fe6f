import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Tenant } from './tenant.ts';

const PAUSE_MS = 25;
const LONGEST_MS = 1_000;
const TICK_MS = 10;

interface Part {
  readonly times: number[];
  readonly rejected: string[];
}

/** A tenant that continuously reads, writes and pushes a little. */
export interface Neighbour {
  /**
   * Stops the neighbour. Throws if one of its requests took a second or was rejected. Time lost in this process does
   * not count, since it is often the attacker, too.
   */
  expectUnaffected(): Promise<void>;
}

interface Options {
  /** The limit of its listings; small if the tenant has large records. */
  readonly limit?: number;
  /** Something else to repeat. */
  readonly also?: Readonly<Record<string, (recordId: number) => Promise<unknown>>>;
}

export async function neighbour(
  tenant: Tenant,
  { limit = 100, also = {} }: Options = {},
): Promise<Neighbour> {
  const { pluginConfigs } = tenant;
  const id = await tenant.attach();
  const held = measureOwnDelays();
  let stopped = false;
  let change = 0;
  const works = {
    list: () => pluginConfigs.list({ limit }).page(),
    read: () => pluginConfigs.retrieve(id),
    log: () => pluginConfigs.logs(id, { limit: 10 }).page(),
    write: () => pluginConfigs.update(id, { description: `change ${++change}` }),
    push: async () => {
      const { status } = await tenant.push([{ plugin_config_id: id, message: `message ${++change}` }]);
      if (status !== 200) throw new Error(`A push returned ${status}.`);
    },
    ...Object.fromEntries(Object.entries(also).map(([name, work]) => [name, () => work(id)])),
  };
  // The first push of a day creates its tables.
  await works.push();
  const parts = Object.entries(works).map(([name, work]) => {
    const part: Part = { times: [], rejected: [] };
    const going = repeat(work, part, { isStopped: () => stopped, heldMs: held.totalMs });
    return { name, part, going };
  });
  return {
    expectUnaffected: async () => {
      stopped = true;
      await Promise.all(parts.map(({ going }) => going));
      held.stop();
      const report = parts.map(({ name, part: { times, rejected } }) => ({
        name,
        requests: times.length,
        slowest: Math.round(Math.max(...times)),
        rejected: rejected.slice(0, 3),
      }));
      const affected = report.filter(
        ({ requests, slowest, rejected }) => requests === 0 || slowest >= LONGEST_MS || rejected.length > 0,
      );
      const names = affected.map(({ name }) => name).join(', ');
      expect(affected, `affected: ${names} of ${JSON.stringify(report)}`).toEqual([]);
    },
  };
}

interface Run {
  isStopped(): boolean;
  heldMs(): number;
}

async function repeat(
  work: () => Promise<unknown>,
  { times, rejected }: Part,
  { isStopped, heldMs }: Run,
): Promise<void> {
  while (!isStopped()) {
    const [start, heldBefore] = [performance.now(), heldMs()];
    await work().catch((error: unknown) => rejected.push(String(error)));
    times.push(performance.now() - start - (heldMs() - heldBefore));
    await sleep(PAUSE_MS);
  }
}

/** Adds up the delays of this process's own timers. */
function measureOwnDelays() {
  let total = 0;
  let last = performance.now();
  const late = (): number => Math.max(0, performance.now() - last - TICK_MS);
  const timer = setInterval(() => {
    total += late();
    last = performance.now();
  }, TICK_MS);
  return { totalMs: () => total + late(), stop: () => clearInterval(timer) };
}
