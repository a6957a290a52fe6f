import type { Incident } from '@plugin-config/client';
import { formatCount, rateText } from '../ui/format.ts';

export const REASONS: Readonly<Record<NonNullable<Incident['reason']>, string>> = {
  recovered: 'Recovered',
  disabled: 'Record disabled',
  deleted: 'Record or alert deleted',
  changed: 'Alert changed',
};

const BREACHES: Readonly<Record<Incident['signal'], (value: number) => string>> = {
  delivery_rate: (value) => `${rateText(String(value))} of deliveries succeeded`,
  // The service stops counting at the threshold.
  log: (value) => (value === 1 ? 'An error in the log' : `At least ${formatCount(value)} errors in the log`),
  error: () => 'The plugin reported an error',
  silence: () => 'No deliveries and no log entries',
  runtime: (value) =>
    value === 1 ? 'A runtime cannot run it' : `${formatCount(value)} runtimes cannot run it`,
  offline: (value) =>
    value === 0 ? 'No runtime reported' : `Only ${formatCount(value)} of the runtimes reported`,
  outdated: () => 'Its version is outdated',
};

/** Describes what breached the rule of an alert. */
export const breachText = ({ signal, value }: Pick<Incident, 'signal' | 'value'>): string =>
  BREACHES[signal](value ?? 0);
