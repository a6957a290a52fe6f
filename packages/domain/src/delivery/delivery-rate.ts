/** The number of deliveries within a window. */
export interface Deliveries {
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
}

const DECIMALS = 4;
const SCALE = 10n ** BigInt(DECIMALS);

/** (successes + successes on retry) / all, four decimals, rounded half up; null without any delivery. */
export function deliveryRate({ successes, successesOnRetry, failures }: Deliveries): string | null {
  const good = BigInt(successes) + BigInt(successesOnRetry);
  const all = good + BigInt(failures);
  if (all === 0n) return null;
  const scaled = (2n * good * SCALE + all) / (2n * all);
  return `${scaled / SCALE}.${(scaled % SCALE).toString().padStart(DECIMALS, '0')}`;
}
