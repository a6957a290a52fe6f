const RECENT_BYTES = 4 * 1024 * 1024;
const READING_BYTES = 512;

/** A cache of recent readings by position, which streams share. */
export interface RecentReadings<Reading> {
  get(name: string): Reading | undefined;
  add(name: string, reading: Reading): void;
}

/** Caches the last readings, up to a number of bytes. Readings are immutable. */
export function recentReadings<Reading>(bytesOf: (reading: Reading) => number): RecentReadings<Reading> {
  const readings = new Map<string, { readonly reading: Reading; readonly bytes: number }>();
  let total = 0;
  return {
    get: (name) => readings.get(name)?.reading,
    add(name, reading) {
      if (readings.has(name)) return;
      const bytes = READING_BYTES + bytesOf(reading);
      readings.set(name, { reading, bytes });
      total += bytes;
      for (const [oldest, { bytes: freed }] of readings) {
        if (total <= RECENT_BYTES) break;
        readings.delete(oldest);
        total -= freed;
      }
    },
  };
}
