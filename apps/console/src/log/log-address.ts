import type { LogEntry, LogFilter } from '@plugin-config/client';
import { recordPath, type RecordRef } from '../shell/addresses.ts';
import { afterOf } from '../ui/format.ts';

/** The state of the log screen, as in its address. */
export interface LogAddress {
  readonly types: readonly string[];
  readonly source: string;
  readonly instance: string;
  /** The start, inclusive, in ISO 8601, or an empty string. */
  readonly from: string;
  /** The end, exclusive. */
  readonly to: string;
  readonly search: string;
  /** The time to show instead of the end of the log, in ISO 8601, or an empty string. */
  readonly around: string;
  /** The linked entry. An empty timestamp has to be looked up. */
  readonly entry: Pick<LogEntry, 'id' | 'timestamp'> | null;
}

/** The properties of each part of the log screen. */
export interface LogProperties {
  readonly at: RecordRef;
  readonly address: LogAddress;
  readonly onChange: (address: LogAddress) => void;
}

const TEXTS = ['source', 'instance', 'from', 'to', 'search', 'around'] as const;

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));

export function logAddressOf(query: string): LogAddress {
  const sent = new URLSearchParams(query);
  const text = (name: string): string => sent.get(name) ?? '';
  const [id, timestamp] = [text('entry'), text('at')];
  return {
    types: sent.getAll('type').filter((type) => type !== ''),
    source: text('source'),
    instance: text('instance'),
    from: text('from'),
    to: text('to'),
    search: text('search'),
    around: isTime(text('around')) ? text('around') : '',
    entry: id === '' ? null : { id, timestamp: isTime(timestamp) ? timestamp : '' },
  };
}

/** The query of an address, with its question mark; may be empty. */
export function logQueryOf({ types, entry, ...texts }: LogAddress): string {
  const query = new URLSearchParams(types.map((type) => ['type', type]));
  for (const name of TEXTS) if (texts[name] !== '') query.set(name, texts[name]);
  if (entry !== null) {
    query.set('entry', entry.id);
    if (entry.timestamp !== '') query.set('at', entry.timestamp);
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

export const logPath = (at: RecordRef, address: LogAddress): string =>
  `${recordPath(at)}/logs${logQueryOf(address)}`;

/** The filter for the service. */
export function logFilterOf({ types, source, instance, from, to, search }: LogAddress): LogFilter {
  return {
    ...(types.length > 0 && { type_filter: types }),
    ...(source !== '' && { source }),
    ...(instance !== '' && { instance_id: instance }),
    ...(from !== '' && { after: afterOf(from) }),
    ...(to !== '' && { before: to }),
    ...(search !== '' && { search }),
  };
}
