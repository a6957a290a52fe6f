import type { OperationCosts } from './costs-bench.ts';
import type { Costs } from './queue-model.ts';

/**
 * Splits the CPU time of an operation into costs per request and per statement, by comparing the loads with the fewest and the
 * most requests per statement. Does not use the speed of the loads, which the model is checked against.
 */
export function fitCosts({ operation, loads }: OperationCosts): Costs {
  const points = loads.map(({ finished, used }) => ({
    statements: used.transactions / operation.statements / finished,
    load: (used.load / finished) * 1e6,
    app: (used.app / finished) * 1e6,
    postgres: (used.postgres / finished) * 1e6,
  }));
  const sorted = points.toSorted((a, b) => a.statements - b.statements);
  const [fewest, most] = [sorted[0], sorted.at(-1)];
  if (fewest === undefined || most === undefined) throw new Error('There are no loads.');
  const perStatement = (of: (point: (typeof points)[number]) => number): number => {
    const difference = most.statements - fewest.statements;
    return difference < 0.05 ? 0 : Math.max(0, (of(most) - of(fewest)) / difference);
  };
  const appStatement = perStatement((point) => point.app);
  const postgresStatement = perStatement((point) => point.postgres);
  return {
    load: fewest.load,
    app: Math.max(0, fewest.app - appStatement * fewest.statements),
    appStatement,
    postgres: Math.max(0, fewest.postgres - postgresStatement * fewest.statements),
    postgresStatement,
  };
}
