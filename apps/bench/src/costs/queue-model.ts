import { simulatedThreads, type SimulatedThread } from './simulated-threads.ts';

/** The CPU microseconds of a request. */
export interface Costs {
  /** Of the load generator, for each request. */
  readonly load: number;
  /** Of the app, for each request. */
  readonly app: number;
  /** Of the app, for each statement. */
  readonly appStatement: number;
  /** Of PostgreSQL, for each request. */
  readonly postgres: number;
  /** Of PostgreSQL, for each statement. */
  readonly postgresStatement: number;
}

export interface Setup {
  readonly costs: Costs;
  /** The statements that follow each other in a request. */
  readonly statements: number;
  readonly connections: number;
  /** The cores that all processes share. */
  readonly cores: number;
  /** The app processes. Each has its share of the connections, and batches of its own. */
  readonly processes: number;
  /** The microseconds on the network between app and PostgreSQL, there and back. */
  readonly roundTrip: number;
}

export interface Prediction {
  readonly perSecond: number;
  readonly requestsPerStatement: number;
  readonly medianMs: number;
}

/** As in the access probe. */
const MAX_CONCURRENT = 2;
const MAX_ITEMS = 256;
const WARM_UP = 2_000;
const REQUESTS = 20_000;

/**
 * Simulates callers that send a request as soon as they have the answer to their last one. A statement carries all
 * requests that gathered while two statements of its kind were in flight. Leaves out that a batch of writes waits some
 * milliseconds for as many writes as the one before it has.
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
      const answers = waiting.splice(0, MAX_ITEMS);
      sent++;
      const work = (costs.postgresStatement + costs.postgres * answers.length) / statements;
      const receive = (): void => {
        idle.push(backend);
        for (const answer of answers) app.add(appPart, answer);
        schedule();
      };
      world.delay(roundTrip / 2, () => backend.add(work, () => world.delay(roundTrip / 2, receive)));
      schedule();
    };
    return (answer: () => void): void => {
      waiting.push(answer);
      schedule();
    };
  };

  for (let process = 0; process < processes; process++) {
    const [callers, app] = [world.start(), world.start()];
    const stages = Array.from({ length: statements }, () => batching(app));
    const request = (): void => {
      const since = world.now();
      const goOn = (stage: number): void => {
        const ask = stages[stage];
        if (ask !== undefined) return ask(() => goOn(stage + 1));
        finished++;
        if (finished === WARM_UP) [startedAt, sent] = [world.now(), 0];
        if (finished > WARM_UP) latencies.push(world.now() - since);
        request();
      };
      callers.add(costs.load, () => app.add(appPart, () => goOn(0)));
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
