import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Tenant } from './tenant.ts';

const PAUSE_MS = 25;
const LONGEST_MS = 1_000;
const TICK_MS = 10;

interface Measurements {
  readonly times: number[];
  readonly rejected: string[];
}

/** A tenant that keeps sending a few small requests, to detect whether others slow it down. */
export interface Neighbour {
  /**
   * Stops the neighbour. Throws if one of its requests took a second or was rejected. Delays of this process don't count,
   * since it often runs the attack, too.
   */
  expectUnaffected(): Promise<void>;
}

interface Options {
  /** The limit of its listings; small if the tenant has large records. */
  readonly limit?: number;
  /** More calls to repeat, by name. */
  readonly also?: Readonly<Record<string, (recordId: number) => Promise<unknown>>>;
}

export async function neighbour(
  tenant: Tenant,
  { limit = 100, also = {} }: Options = {},
): Promise<Neighbour> {
  const { pluginConfigs } = tenant;
  const id = await tenant.attach();
  const ownDelays = measureOwnDelays();
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
  const kinds = Object.entries(works).map(([name, work]) => {
    const measured: Measurements = { times: [], rejected: [] };
    const running = repeat(work, measured, { isStopped: () => stopped, ownDelayMs: ownDelays.totalMs });
    return { name, measured, running };
  });
  return {
    expectUnaffected: async () => {
      stopped = true;
      await Promise.all(kinds.map(({ running }) => running));
      ownDelays.stop();
      const report = kinds.map(({ name, measured: { times, rejected } }) => ({
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
  ownDelayMs(): number;
}

async function repeat(
  work: () => Promise<unknown>,
  { times, rejected }: Measurements,
  { isStopped, ownDelayMs }: Run,
): Promise<void> {
  while (!isStopped()) {
    const [start, delayBefore] = [performance.now(), ownDelayMs()];
    await work().catch((error: unknown) => rejected.push(String(error)));
    times.push(performance.now() - start - (ownDelayMs() - delayBefore));
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
