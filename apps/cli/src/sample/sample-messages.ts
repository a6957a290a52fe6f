import type { Message } from '@plugin-config/client';

/** The ids of the sample's records, by how they behave. */
export interface SampleRecords {
  readonly healthy: number;
  readonly flaky: number;
  readonly failing: number;
}

const MINUTE_MS = 60_000;
const HOURS = 24;
const FAILURE = 'The table events_daily does not exist in the dataset of the account';
const LINES = [
  ['INFO', 'Exported 120 events'],
  ['DEBUG', 'Batch of 40 events taken from the queue'],
  ['INFO', 'Exported 95 events'],
  ['WARN', 'Response took 2,140 ms'],
  ['INFO', 'Exported 131 events'],
  ['ERROR', '503 from the receiver, retrying in 2 s'],
] as const;

/** Yields logs of the last hours, deliveries of a day, and the error of the failing record. */
export function* sampleMessages({ healthy, flaky, failing }: SampleRecords, now: Date): Generator<Message> {
  const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * MINUTE_MS).toISOString();
  for (const [index, id] of [healthy, flaky, failing].entries()) {
    for (let hour = HOURS; hour > 0; hour--) {
      const volume = 60 + ((hour * 37 + index * 11) % 90);
      const failures = id === failing ? (hour < 5 ? volume : 0) : id === flaky ? (hour * 7) % 9 : 0;
      yield {
        kind: 'delivery',
        plugin_config_id: id,
        timestamp: minutesAgo(hour * 60 - 30),
        successes: volume - failures,
        successes_on_retry: id === flaky ? (hour * 5) % 7 : 0,
        failures,
      };
    }
    for (let entry = 240; entry > 0; entry--) {
      const [type, message] = LINES[(entry * 5 + index) % LINES.length] ?? LINES[0];
      yield { plugin_config_id: id, timestamp: minutesAgo(entry), type, message };
    }
  }
  yield { plugin_config_id: failing, timestamp: minutesAgo(0.5), type: 'ERROR', message: FAILURE };
  yield { kind: 'error', plugin_config_id: failing, timestamp: minutesAgo(0.5), error: FAILURE };
}
