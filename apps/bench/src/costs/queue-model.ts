import { simulatedThreads, type SimulatedThread } from './simulated-threads.ts';

/** The CPU costs of a request, in microseconds. */
export interface Costs {
  /** Load generator, per request. */
  readonly load: number;
  /** App, per request. */
  readonly app: number;
  /** App, per statement. */
  readonly appStatement: number;
  /** PostgreSQL, per request. */
  readonly postgres: number;
  /** PostgreSQL, per statement. */
  readonly postgresStatement: number;
}

export interface Setup {
  readonly costs: Costs;
  /** The number of consecutive statements in a request. */
  readonly statements: number;
  readonly connections: number;
  /** All processes share the cores. */
  readonly cores: number;
  /** The number of app processes. Each has its share of the connections, and separate batches. */
  readonly processes: number;
  /** The network round trip between app and PostgreSQL, in microseconds. */
  readonly roundTrip: number;
}

export interface Prediction {
  readonly perSecond: number;
  readonly requestsPerStatement: number;
  readonly medianMs: number;
}

/** The limits of the access probe. */
const MAX_CONCURRENT = 2;
const MAX_ITEMS = 256;
const WARM_UP = 2_000;
const REQUESTS = 20_000;

/**
 * Simulates callers that send a request as soon as they receive the response to their last. A statement carries all requests
 * that accumulated while two statements of its kind were in flight. Ignores that a batch of writes waits a few milliseconds
 * for as many writes as the previous batch had.
 */
export function simulate({ costs, statements, connections, cores, processes, roundTrip }: Setup): Prediction {
  const world = simulatedThreads(cores);
  const latencies: number[] = [];
  let [finished, sent, startedAt] = [0, 0, 0];
  const appPart = costs.app / (statements + 1);

  const batching = (app: SimulatedThread) => {
    const waiting: (() => void)[] = [];
    const idle = Array.from({ length: MAX_CONCURRENT }, () => world.start());
    let scheduled = false;
    const schedule = (): void => {
      if (scheduled || idle.length === 0 || waiting.length === 0) return;
      scheduled = true;
      app.add(costs.appStatement / statements, send);
    };
    const send = (): void => {
      scheduled = false;
      const backend = idle.pop() as SimulatedThread;
      const callbacks = waiting.splice(0, MAX_ITEMS);
      sent++;
      const work = (costs.postgresStatement + costs.postgres * callbacks.length) / statements;
      const receive = (): void => {
        idle.push(backend);
        for (const callback of callbacks) app.add(appPart, callback);
        schedule();
      };
      world.delay(roundTrip / 2, () => backend.add(work, () => world.delay(roundTrip / 2, receive)));
      schedule();
    };
    return (callback: () => void): void => {
      waiting.push(callback);
      schedule();
    };
  };

  for (let process = 0; process < processes; process++) {
    const [callers, app] = [world.start(), world.start()];
    const stages = Array.from({ length: statements }, () => batching(app));
    const request = (): void => {
      const since = world.now();
      const runStage = (stage: number): void => {
        const enqueue = stages[stage];
        if (enqueue !== undefined) return enqueue(() => runStage(stage + 1));
        finished++;
        if (finished === WARM_UP) [startedAt, sent] = [world.now(), 0];
        if (finished > WARM_UP) latencies.push(world.now() - since);
        request();
      };
      callers.add(costs.load, () => app.add(appPart, () => runStage(0)));
    };
    for (let i = process; i < connections; i += processes) request();
  }

  while (latencies.length < REQUESTS) world.step();
  return {
    perSecond: (REQUESTS / (world.now() - startedAt)) * 1e6,
    requestsPerStatement: (REQUESTS * statements) / sent,
    medianMs: (latencies.toSorted((a, b) => a - b)[REQUESTS / 2] ?? Number.NaN) / 1000,
  };
}
