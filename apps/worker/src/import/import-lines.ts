import { ingestReport, type IngestReport } from '@plugin-config/domain';
import { dayTablesProblem } from '@plugin-config/persistence';
import {
  checkBeforeStart,
  checkServices,
  openLog,
  reasonOf,
  stopSignal,
  traceProcess,
} from '@plugin-config/server';
import { openServices } from '../container.ts';
import type { Env } from '../env.ts';
import { ingestFrom, type IngestMeter } from '../loops/ingest-from.ts';
import { ndjsonSource } from '../sources/ndjson/ndjson-source.ts';
import { openInput } from './open-input.ts';
import { describe, progress, type Progress, type Terminal } from './progress-line.ts';

interface Options {
  /** Receives the report. */
  readonly output: Pick<Terminal, 'write'>;
  /** Receives text for people. */
  readonly terminal: Terminal;
  /** Resolves when the import must stop. */
  readonly stopped: Promise<void>;
  readonly log: typeof openLog;
}

interface Totals extends IngestMeter {
  readonly report: IngestReport;
}

/**
 * Stores the lines of a file or a pipe. Prints only the report to standard output. Resolves to true once each line is stored or
 * has become a dead letter, and to false if the import was interrupted.
 */
export async function importLines(
  env: Env,
  path: string,
  {
    output = process.stdout,
    terminal = process.stderr,
    stopped = stopSignal(),
    log = openLog,
  }: Partial<Options> = {},
): Promise<boolean> {
  const stop = new AbortController();
  void stopped.then(() => stop.abort());
  const tracing = await traceProcess('plugin-config-import', env);
  const logger = log({ service: 'import', level: env.LOG_LEVEL, descriptor: 2, tracing });
  const { database, clickHouse, ...services } = await openServices(env);
  await checkServices({ database, clickHouse, clock: services.clock });
  await checkBeforeStart(() => dayTablesProblem(database));
  const input = await openInput(path);
  const started = performance.now();
  const line = progress(terminal);
  const meter = totals(line);
  const ending = ingestFrom(ndjsonSource(input), { ...services, meter, logger }, stop.signal);
  const interruption = await ending.then(
    () => (stop.signal.aborted ? 'The import was stopped by a signal.' : null),
    (error: unknown) => `The input could not be read to its end: ${reasonOf(error)}.`,
  );
  line.end();
  const seconds = (performance.now() - started) / 1000;
  terminal.write(`${describe(meter.report, seconds)}, in ${seconds.toFixed(1)} s.\n`);
  if (interruption !== null) {
    terminal.write(
      `${interruption} The remaining lines were not stored. Run the import again: it does not store lines twice.\n`,
    );
  }
  output.write(`${JSON.stringify(meter.report)}\n`);
  await Promise.all([database.close(), clickHouse?.close(), tracing?.close()]);
  return interruption === null;
}

function totals(line: Progress): Totals {
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
