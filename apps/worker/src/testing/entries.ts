import { randomUUID } from 'node:crypto';

export interface WireEntry {
  readonly id: string;
  readonly plugin_config_id: number;
  readonly timestamp: string;
  readonly message: string;
}

/** Returns a complete log entry. */
export function anEntry(recordId: number, given: Partial<WireEntry> & object = {}): WireEntry {
  return {
    id: randomUUID(),
    plugin_config_id: recordId,
    timestamp: new Date().toISOString(),
    message: 'hello',
    ...given,
  };
}

export function ndjson(values: readonly unknown[]): string {
  return values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('');
}
