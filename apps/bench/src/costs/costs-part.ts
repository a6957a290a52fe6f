import { availableParallelism } from 'node:os';
import { markdownTable } from '../markdown-table.ts';
import type { Part } from '../part.ts';
import { benchCosts, type Measured, type OperationCosts } from './costs-bench.ts';
import { fitCosts } from './fit-costs.ts';
import { simulate } from './queue-model.ts';

/** Measures the costs of each operation, and checks the model of `docs/scale.md` against the measured speeds. */
export const costsPart: Part = async (options) => {
  const all = await benchCosts(options);
  const failed = all.flatMap(({ loads }) => loads).reduce((sum, load) => sum + load.failed, 0);
  return { text: [costsTable(all), modelTable(all), predictionTable(all)].join('\n\n'), errors: failed };
};

function costsTable(all: readonly OperationCosts[]): string {
  const rows = all.flatMap(({ operation, loads }) =>
    loads.map((load) => {
      const each = perUnit(load, operation.units);
      return [
        operation.name,
        load.connections,
        (load.perSecond * operation.units).toFixed(0),
        each(load.used.app * 1e6, 1),
        each(load.used.postgres * 1e6, 1),
        each(load.used.transactions, 4),
        each(load.used.appBytes, 0),
        each(load.used.walBytes, 0),
        each(load.used.databaseBytes, 0),
      ];
    }),
  );
  return markdownTable(
    [
      'for each request or entry',
      'connections',
      'per second',
      'app CPU µs',
      'PostgreSQL CPU µs',
      'transactions',
      'bytes through the app',
      'WAL bytes',
      'bytes on disk',
    ],
    rows,
  );
}

function perUnit({ finished }: Measured, units: number): (total: number, digits: number) => string {
  return (total, digits) => (total / finished / units).toFixed(digits);
}

function modelTable(all: readonly OperationCosts[]): string {
  const rows = all.flatMap((one) => {
    const costs = fitCosts(one);
    return one.loads.map(({ connections, perSecond }) => {
      const predicted = simulate({
        costs,
        statements: one.operation.statements,
        connections,
        cores: availableParallelism(),
        processes: 1,
        roundTrip: 0,
      });
      return [
        one.operation.name,
        connections,
        perSecond.toFixed(0),
        predicted.perSecond.toFixed(0),
        (predicted.perSecond / perSecond).toFixed(2),
      ];
    });
  });
  return markdownTable(['model', 'connections', 'measured per second', 'predicted', 'ratio'], rows);
}

/** Setups beyond this machine: cores, app processes, and the round trip to PostgreSQL in microseconds. */
const SETUPS = [
  { cores: 2, processes: 1, roundTrip: 0 },
  { cores: 4, processes: 1, roundTrip: 0 },
  { cores: 4, processes: 1, roundTrip: 500 },
  { cores: 8, processes: 4, roundTrip: 500 },
  { cores: 16, processes: 8, roundTrip: 500 },
];
const CALLERS = 400;

/** Predicts the speed of each operation of the HTTP app, with callers on other machines. */
function predictionTable(all: readonly OperationCosts[]): string {
  const operations = all.filter(({ operation }) => operation.app === 'http');
  const rows = operations.flatMap((one) =>
    SETUPS.map((setup) => {
      const costs = { ...fitCosts(one), load: 0 };
      const { statements, name } = one.operation;
      const predicted = simulate({ ...setup, costs, statements, connections: CALLERS });
      return [
        name,
        setup.cores,
        setup.processes,
        (setup.roundTrip / 1000).toFixed(1),
        predicted.perSecond.toFixed(0),
        predicted.medianMs.toFixed(1),
        predicted.requestsPerStatement.toFixed(1),
      ];
    }),
  );
  return markdownTable(
    [
      `predicted for ${CALLERS} connections`,
      'cores',
      'processes',
      'network ms',
      'per second',
      'median ms',
      'requests per statement',
    ],
    rows,
  );
}
