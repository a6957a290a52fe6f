/** The memory of what was read last. */
const RECENT_BYTES = 4 * 1024 * 1024;
/** An estimate of what a reading takes beside its content. */
const READING_BYTES = 512;

/** What was read last, by the name of its position. Other streams may ask for it as well. */
export interface RecentReadings<Reading> {
  get(name: string): Reading | undefined;
  add(name: string, reading: Reading): void;
}

/** Keeps the last readings, up to a number of bytes. A reading never changes. */
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
