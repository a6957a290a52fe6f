import { evaluateAlerts, SIGNALS, type AlertRule, type FamilyRef } from '@plugin-config/domain';
import { openDatabase, postgresPorts, type Database } from '@plugin-config/persistence';
import { addProjects, TEST_KEYS } from '@plugin-config/persistence/testing/seed';
import { Client } from 'pg';
import { readResourceUse } from '../costs/resource-use.ts';
import type { PartOptions } from '../part.ts';
import { fillAlerts } from './fill-alerts.ts';

const RECORDS = 10_000;
const ALERTS = 10;
/** A tenant with 1,000 alerts. */
const LARGE = { projects: 10, alerts: 100, records: 100 };

const RULE: AlertRule = {
  name: 'Bench',
  family: 'plugin_configs',
  recordId: null,
  plugin: null,
  signal: 'error',
  threshold: null,
  windowMinutes: 15,
  minSamples: 0,
  required: { n: 1, m: 1 },
  action: 'notify',
  enabled: true,
};
const THRESHOLDS: Partial<Record<AlertRule['signal'], number>> = { delivery_rate: 0.9, log: 2 };

/** Seconds to evaluate alerts, and CPU seconds of PostgreSQL. */
export interface Evaluated {
  readonly name: string;
  readonly seconds: number;
  readonly database: number;
}

export interface AlertsResult {
  readonly evaluated: readonly Evaluated[];
  /**
   * Seconds to evaluate 1,000 alerts of one tenant, and until the only alert of another project is evaluated at the same time.
   */
  readonly thousand: readonly number[];
  readonly beside: readonly number[];
  readonly failed: number;
}

/** Evaluates alerts on records with data of a day, a tenth of which breach their rule. */
export async function benchAlerts({ databaseUrl, rounds }: PartOptions): Promise<AlertsResult> {
  const database = openDatabase({
    url: databaseUrl,
    poolSize: 4,
    statementTimeoutMs: 600_000,
    masterKeys: TEST_KEYS,
  });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const families = (await addProjects(database, LARGE.projects + 2)).map((projectId): FamilyRef => ({
      projectId,
      family: 'plugin_configs',
    }));
    // The neighbour is the last in each round.
    const [neighbour, first, ...others] = families.toReversed() as [FamilyRef, FamilyRef, ...FamilyRef[]];
    await fillAlerts(database, first, RECORDS);
    for (const family of [neighbour, ...others]) await fillAlerts(database, family, LARGE.records);
    const bench = alertBench(database, client);
    const evaluated: Evaluated[] = [];
    for (const [name, rules] of ruleSets()) {
      const remove = await bench.create(first, rules);
      evaluated.push({ name: `${name}, opening incidents`, ...(await bench.measure(1)) });
      evaluated.push({ name, ...(await bench.measure(rounds)) });
      await remove();
    }
    for (const family of others) await bench.create(family, rulesOf(LARGE.alerts, SIGNALS));
    await bench.create(neighbour, [RULE]);
    const [thousand, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      const { seconds, doneAfter } = await bench.evaluate(neighbour.projectId);
      // The first round opens the incidents.
      if (round > 0) [thousand, beside].forEach((times, i) => times.push(i === 0 ? seconds : doneAfter));
    }
    return { evaluated, thousand, beside, failed: bench.failed() };
  } finally {
    await client.end();
    await database.close();
  }
}

function ruleSets(): readonly (readonly [name: string, rules: readonly AlertRule[]])[] {
  return [
    ['all signals', rulesOf(ALERTS, SIGNALS)] as const,
    ...SIGNALS.map((signal) => [signal, rulesOf(ALERTS, [signal])] as const),
  ];
}

/** Returns rules with these signals, half of them with a window of a day. */
function rulesOf(count: number, signals: readonly AlertRule['signal'][]): readonly AlertRule[] {
  return Array.from({ length: count }, (_, n) => {
    const signal = signals[n % signals.length] ?? 'error';
    const windowMinutes = Math.floor(n / signals.length) % 2 === 0 ? 15 : 1440;
    return { ...RULE, signal, threshold: THRESHOLDS[signal] ?? null, windowMinutes };
  });
}

function alertBench(database: Database, client: Client) {
  const { alerts, evaluations, tasks } = postgresPorts(database);
  const author = { actor: { keyId: null, label: 'bench' }, requestId: null, at: new Date() };
  let failed = 0;
  let minute = 0;

  /** Evaluates all alerts once, and measures after how many seconds the project had its turn. */
  const evaluate = async (projectId = 0): Promise<{ seconds: number; doneAfter: number }> => {
    const at = new Date(Date.now() + ++minute);
    const start = performance.now();
    let doneAfter = Number.NaN;
    const timed: typeof evaluations = {
      ofProject: async (task, now) =>
        (await evaluations.ofProject(task, now)).map((evaluation) => ({
          ...evaluation,
          finish: async () => {
            await evaluation.finish();
            if (evaluation.alert.projectId === projectId) doneAfter = (performance.now() - start) / 1000;
          },
        })),
    };
    const meter = { evaluated: () => undefined, failed: () => void failed++ };
    const elapsed = () => performance.now();
    const done: number[] = [];
    for (;;) {
      const [task] = await tasks.claim('alerts', { limit: 1, exceptTenants: [], exceptKeys: done });
      if (task === undefined) break;
      const dependencies = { evaluations: timed, clock: { now: () => at }, meter, elapsed };
      const { payload = '' } = await evaluateAlerts(dependencies, task, { aborted: false });
      if (payload === '') done.push(task.key);
      await tasks.settle(task, { dueInMs: 0, payload });
    }
    return { seconds: (performance.now() - start) / 1000, doneAfter };
  };

  return {
    failed: () => failed,
    evaluate,
    create: async ({ projectId }: FamilyRef, rules: readonly AlertRule[]) => {
      const ids: number[] = [];
      for (const rule of rules) {
        const name = `Bench ${ids.length}`;
        ids.push((await alerts.create(projectId, { ...rule, name }, author)).id);
      }
      return async (): Promise<void> => {
        for (const id of ids) await alerts.delete(projectId, id, null, author);
        // Closes their incidents.
        await evaluate();
      };
    },
    /** Returns the average of several evaluations. */
    measure: async (rounds: number): Promise<Omit<Evaluated, 'name'>> => {
      const before = await cpuSeconds(client);
      let seconds = 0;
      for (let round = 0; round < rounds; round++) seconds += (await evaluate()).seconds;
      return { seconds: seconds / rounds, database: ((await cpuSeconds(client)) - before) / rounds };
    },
  };
}

async function cpuSeconds(client: Client): Promise<number> {
  return (await readResourceUse(client, { app: process.pid, load: undefined })).postgres;
}
