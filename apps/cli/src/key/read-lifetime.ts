import { InvalidArgumentError } from 'commander';

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const LONGEST_DAYS = 3650;

/** Milliseconds: `90m`, `12h`, `30d`. */
export function readLifetime(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const ms = Number(amount) * (UNITS[unit ?? ''] ?? NaN);
  if (ms >= MINUTE && ms <= LONGEST_DAYS * 24 * 60 * MINUTE) return ms;
  throw new InvalidArgumentError(
    `It takes minutes, hours or days from 1m to ${LONGEST_DAYS}d, such as 90m, 12h or 30d.`,
  );
}
