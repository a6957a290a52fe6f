import type { OperationCosts } from './costs-bench.ts';
import type { Costs } from './queue-model.ts';

/**
 * Splits the CPU of an operation into a part of each request and a part of each statement, from the load with the fewest
 * and the one with the most requests per statement. The speed of the loads is not used, so that the model can be
 * checked against it.
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
  if (fewest === undefined || most === undefined) throw new Error('There is no load.');
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
