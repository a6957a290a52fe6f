import { clickHouseProblem, tryClickHouse, type ClickHouse } from '@plugin-config/clickhouse';
import type { Readiness } from './health.routes.ts';

/** Checks that ClickHouse answers, stores entries, and has tables that fit this code. Always ready without ClickHouse. */
export function clickHouseReadiness(clickHouse: ClickHouse | null): Readiness {
  if (clickHouse === null) return async () => null;
  let isFit = false;
  return async () => {
    if (isFit) {
      await tryClickHouse(clickHouse);
      return null;
    }
    const reason = await clickHouseProblem(clickHouse);
    isFit = reason === null;
    return reason;
  };
}
