export interface Deliveries {
  readonly successes: number;
  readonly successesOnRetry: number;
  readonly failures: number;
}

const DECIMALS = 4;
const SCALE = 10n ** BigInt(DECIMALS);

/** Returns successes (including on retry) / all, with four decimals, rounded half up; null without deliveries. */
export function deliveryRate({ successes, successesOnRetry, failures }: Deliveries): string | null {
  const good = BigInt(successes) + BigInt(successesOnRetry);
  const all = good + BigInt(failures);
  if (all === 0n) return null;
  const scaled = (2n * good * SCALE + all) / (2n * all);
  return `${scaled / SCALE}.${(scaled % SCALE).toString().padStart(DECIMALS, '0')}`;
}

/** Keeps the delivery rates of records up to date, after new reports and as the window moves. */
export interface DeliveryRates {
  /**
   * Updates the rates that are due, and bumps the version of each family with a changed rate. Also updates the shown
   * error of records whose family was locked when the error was reported. Leaves the version and `updatedAt` of
   * records unchanged. Several workers may refresh concurrently. Resolves to the number of changed records.
   */
  refresh(now: Date): Promise<number>;
}
