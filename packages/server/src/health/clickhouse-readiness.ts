import { clickHouseProblem, type ClickHouse } from '@plugin-config/clickhouse';
import type { Readiness } from './health.routes.ts';

const LIMITS = { timeLimitMs: 2_000 };

/** Checks that ClickHouse answers and that its tables fit this code. Always ready without ClickHouse. */
export function clickHouseReadiness(clickHouse: ClickHouse | null): Readiness {
  if (clickHouse === null) return async () => null;
  let isFit = false;
  return async () => {
    if (isFit) {
      await clickHouse.select('select 1', {}, LIMITS);
      return null;
    }
    const reason = await clickHouseProblem(clickHouse);
    isFit = reason === null;
    return reason;
  };
}
