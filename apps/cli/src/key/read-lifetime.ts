import { InvalidArgumentError } from 'commander';

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const DAYS_MAX = 3650;

/** Parses a lifetime such as `90m`, `12h` or `30d` into milliseconds. */
export function readLifetime(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? ''] ?? NaN);
  if (ms >= MINUTE && ms <= DAYS_MAX * 24 * 60 * MINUTE) return ms;
  throw new InvalidArgumentError(
    `It takes minutes, hours or days from 1m to ${DAYS_MAX}d, such as 90m, 12h or 30d.`,
  );
}
