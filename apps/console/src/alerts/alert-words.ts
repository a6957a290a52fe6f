import type { Alert, AlertSignal } from '@plugin-config/client';
import type { Family } from '../shell/addresses.ts';
import { formatCount } from '../ui/format.ts';

interface SignalWords {
  readonly title: string;
  /** When a record breaches the rule; completes "… within the window". */
  readonly hint: string;
}

export const SIGNALS: Readonly<Record<AlertSignal, SignalWords>> = {
  delivery_rate: {
    title: 'Deliveries fail',
    hint: 'The share of successful deliveries is below the threshold.',
  },
  log: { title: 'The log has errors', hint: 'The log has at least this many entries of type ERROR.' },
  error: { title: 'The plugin reports an error', hint: 'The error that the record shows was reported.' },
  silence: { title: 'The plugin is silent', hint: 'There are no delivery reports and no log entries.' },
  runtime: {
    title: 'A runtime cannot run the plugin',
    hint: 'A runtime that is online could not apply the record, or has been behind for the whole window.',
  },
  offline: { title: 'Runtimes are offline', hint: 'Fewer runtimes of the family than this have reported.' },
  outdated: {
    title: 'The version is outdated',
    hint: 'The record follows an older schema than the current version, or is pinned to a version that was given up.',
  },
};

/** Signals about a family instead of its records. */
export const isOfFamily = (signal: AlertSignal): boolean => signal === 'offline';

/** Transformations have no log. */
const WITHOUT_LOG: readonly AlertSignal[] = ['delivery_rate', 'error', 'runtime', 'offline', 'outdated'];

/** Only data of deliveries and logs is kept for long enough to preview a rule. */
const WITHOUT_PREVIEW: ReadonlySet<AlertSignal> = new Set(['error', 'runtime', 'offline', 'outdated']);

export function signalsOf(family: Family): readonly AlertSignal[] {
  return family === 'plugin_configs' ? (Object.keys(SIGNALS) as readonly AlertSignal[]) : WITHOUT_LOG;
}

export const hasPreview = (signal: AlertSignal): boolean => !WITHOUT_PREVIEW.has(signal);

/** The names for each record of a family. */
export const EACH: Readonly<Record<Family, string>> = {
  plugin_configs: 'Each plugin',
  pipeline_transformation_configs: 'Each transformation',
};

export const ACTIONS: Readonly<Record<Alert['action'], string>> = {
  notify: 'Opens an incident',
  disable: 'Disables the record',
};

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 4 });

type Rule = Pick<Alert, 'signal' | 'threshold' | 'window_minutes' | 'min_samples' | 'for'>;

const BREACHES: Readonly<Record<AlertSignal, (threshold: number, samples: number) => string>> = {
  delivery_rate: (threshold, samples) => {
    const deliveries = samples > 1 ? `at least ${formatCount(samples)} deliveries` : 'deliveries';
    return `Less than ${PERCENT.format(threshold)} of ${deliveries} succeed`;
  },
  log: (threshold) =>
    threshold === 1 ? 'An error in the log' : `${formatCount(threshold)} or more errors in the log`,
  error: () => 'An error is reported',
  silence: () => 'No deliveries and no log entries',
  runtime: () => 'A runtime cannot apply it, or does not update',
  offline: (threshold) =>
    threshold <= 1
      ? 'No runtime has reported'
      : `Fewer than ${formatCount(threshold)} runtimes have reported`,
  outdated: () => 'Its version is outdated',
};

/** Describes when a rule fires. */
export function conditionOf({ signal, threshold, min_samples: samples, ...rule }: Rule): string {
  const { n, m } = rule.for;
  const required = m === 1 ? '' : n === m ? `, in ${m} checks in a row` : `, in ${n} of ${m} checks`;
  const within = signal === 'outdated' ? '' : ` within ${durationText(rule.window_minutes)}`;
  return `${BREACHES[signal](threshold ?? 0, samples)}${within}${required}`;
}

/** Formats a number of minutes in the largest unit that is exact. */
export function durationText(minutes: number): string {
  if (minutes === 0 || minutes % 60 !== 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
}
