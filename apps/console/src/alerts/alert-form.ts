import type { Alert, AlertSignal, NewAlert, PreviewedAlert } from '@plugin-config/client';
import type { Family } from '../shell/addresses.ts';
import { isOfFamily, signalsOf } from './alert-words.ts';

/** An alert as edited in the form. Numbers are texts, as in their inputs. */
export interface AlertForm {
  readonly name: string;
  readonly family: Family;
  /** An id; empty for each record of the family. */
  readonly record: string;
  /** An id; empty for all plugins. Ignored with a record. */
  readonly plugin: string;
  readonly signal: AlertSignal;
  /** The threshold of `delivery_rate`, in percent. */
  readonly rate: string;
  /** The threshold of `log`. */
  readonly count: string;
  /** The threshold of `offline`. */
  readonly online: string;
  readonly samples: string;
  readonly window: string;
  readonly n: string;
  readonly m: string;
  readonly action: Alert['action'];
  readonly enabled: boolean;
}

export const NEW_ALERT: AlertForm = {
  name: '',
  family: 'plugin_configs',
  record: '',
  plugin: '',
  signal: 'delivery_rate',
  rate: '95',
  count: '10',
  online: '1',
  samples: '0',
  window: '15',
  n: '1',
  m: '1',
  action: 'notify',
  enabled: true,
};

export function formOf(alert: Alert): AlertForm {
  const { name, family, record, plugin, signal, threshold, action, enabled } = alert;
  return {
    name,
    family,
    record: record === null ? '' : String(record),
    plugin: plugin === null ? '' : String(plugin),
    signal,
    rate: signal === 'delivery_rate' ? String(rounded((threshold ?? 0) * 100)) : NEW_ALERT.rate,
    count: signal === 'log' ? String(threshold) : NEW_ALERT.count,
    online: signal === 'offline' ? String(threshold ?? 1) : NEW_ALERT.online,
    samples: String(alert.min_samples),
    window: String(alert.window_minutes),
    n: String(alert.for.n),
    m: String(alert.for.m),
    action,
    enabled,
  };
}

/** Returns the alert that a form describes. The service checks it. */
export function alertOf(form: AlertForm): Required<NewAlert> {
  const { name, family, record, plugin, signal, action, enabled, ...texts } = form;
  return {
    name: name.trim(),
    family,
    record: isOnRecord(form) ? Number(record) : null,
    plugin: plugin === '' || isOnRecord(form) ? null : Number(plugin),
    signal,
    threshold: thresholdOf(signal, texts),
    window_minutes: Number(texts.window),
    min_samples: Number(texts.samples),
    for: { n: Number(texts.n), m: Number(texts.m) },
    action: isOfFamily(signal) ? 'notify' : action,
    enabled,
  };
}

/** Whether the alert watches one record, and not each of the family. */
export const isOnRecord = ({ record, signal }: AlertForm): boolean => record !== '' && !isOfFamily(signal);

function thresholdOf(
  signal: AlertSignal,
  { rate, count, online }: Pick<AlertForm, 'rate' | 'count' | 'online'>,
): number | null {
  if (signal === 'delivery_rate') return rounded(Number(rate) / 100);
  if (signal === 'offline') return Number(online);
  return signal === 'log' ? Number(count) : null;
}

/** Hides that fractions are binary: 94.7 / 100 is 0.9470000000000001. */
const rounded = (value: number): number => Number(value.toPrecision(12));

/** Returns the rule to preview. The alert may not have a name yet. */
export function previewOf(form: AlertForm): PreviewedAlert {
  const { name: _, ...rule } = alertOf(form);
  return rule;
}

/** Returns the form for another family, which has other records and maybe fewer signals. */
export function withFamily(form: AlertForm, family: Family): AlertForm {
  const [first = form.signal, ...others] = signalsOf(family);
  const signal = others.includes(form.signal) ? form.signal : first;
  return { ...form, family, record: '', signal };
}
