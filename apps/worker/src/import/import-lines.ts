import { clickHouseProblem } from '@plugin-config/clickhouse';
import { ingestReport, skewProblem, type IngestReport } from '@plugin-config/domain';
import { databaseProblem, dayTablesProblem } from '@plugin-config/persistence';
import { openLog, reasonOf, checkBeforeStart, stopSignal, traceProcess } from '@plugin-config/server';
import { openServices } from '../container.ts';
import type { Env } from '../env.ts';
import { ingestFrom, type IngestMeter } from '../loops/ingest-from.ts';
import { ndjsonSource } from '../sources/ndjson/ndjson-source.ts';
import { openInput } from './open-input.ts';
import { describe, progress, type Progress, type Terminal } from './progress-line.ts';

interface Surroundings {
  /** Takes the report. */
  readonly output: Pick<Terminal, 'write'>;
  /** Takes what is meant for people. */
  readonly terminal: Terminal;
  /** Resolves when the import has to stop. */
  readonly stopped: Promise<void>;
  readonly log: typeof openLog;
}

interface Sum extends IngestMeter {
  readonly report: IngestReport;
}

/**
 * Stores the lines of a file or a pipe, and runs nothing else. Prints only the report to standard output. Resolves to
 * true if no line is left: each was stored or became a dead letter. Its surroundings are those of the process unless they are given.
 */
export async function importLines(
  env: Env,
  path: string,
  {
    output = process.stdout,
    terminal = process.stderr,
    stopped = stopSignal(),
    log = openLog,
  }: Partial<Surroundings> = {},
): Promise<boolean> {
  const input = await openInput(path);
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  const tracing = await traceProcess('plugin-config-import', env);
  const logger = log({ service: 'import', level: env.LOG_LEVEL, descriptor: 2, tracing });
  const { database, clickHouse, ...services } = await openServices(env);
  await checkBeforeStart(async () => skewProblem(await services.clock.set()));
  await checkBeforeStart(() => databaseProblem(database));
  await checkBeforeStart(() => dayTablesProblem(database));
  await checkBeforeStart(async () => clickHouse && clickHouseProblem(clickHouse));
  const started = performance.now();
  const line = progress(terminal);
  const meter = sum(line);
  const ending = ingestFrom(ndjsonSource(input), { ...services, meter, logger }, stop.signal);
  const interruption = await ending.then(
    () => (stop.signal.aborted ? 'A signal stopped the import.' : null),
    (error: unknown) => `The input ended with an error: ${reasonOf(error)}.`,
  );
  line.end();
  const seconds = (performance.now() - started) / 1000;
  terminal.write(`${describe(meter.report, seconds)}, in ${seconds.toFixed(1)} s.\n`);
  if (interruption !== null) {
    terminal.write(
      `${interruption} The lines after these are not stored: run it again, nothing is stored twice.\n`,
    );
  }
  output.write(`${JSON.stringify(meter.report)}\n`);
  await Promise.all([database.close(), clickHouse?.close(), tracing?.close()]);
  return interruption === null;
}

function sum(line: Progress): Sum {
  let report: IngestReport = { stored: 0, duplicates: 0, dead: 0 };
  return {
    get report() {
      return report;
    },
    observe(_channel, outcomes) {
      const { stored, duplicates, dead } = ingestReport(outcomes);
      report = {
        stored: report.stored + stored,
        duplicates: report.duplicates + duplicates,
        dead: report.dead + dead,
      };
      line.show(report);
    },
  };
}
