import {
  DAY_MS,
  entryName,
  itemsThatFit,
  PAGE_MAX_BYTES,
  startOfDay,
  utf8Length,
  type CopiedDay,
  type EntryKey,
  type LogEntry,
  type LogRef,
} from '@plugin-config/domain';
import type { StopSignal } from '@plugin-config/flow';
import type { Copies } from './copies.ts';

interface Dependencies {
  readonly copies: Copies;
  find(record: LogRef, keys: readonly EntryKey[], maxBytes: number): Promise<readonly LogEntry[]>;
  copiedDays(): Promise<readonly CopiedDay[]>;
}

/** Looks up entries of both tiers by their keys. */
export interface TierEntries {
  one(record: LogRef, key: EntryKey): Promise<LogEntry | null>;
  /** Returns the entries with these keys, up to the byte limit of a page or to the first missing entry. */
  all(record: LogRef, keys: readonly EntryKey[]): Promise<readonly LogEntry[]>;
  /** Returns the newest key with this id in both tiers, given the key that PostgreSQL has. */
  newestKey(record: LogRef, id: string, found: FoundKey, signal?: StopSignal): Promise<EntryKey | null>;
}

interface FoundKey {
  readonly key: EntryKey | null;
  /** The days that were copied when PostgreSQL was read, newest first. */
  readonly days: readonly CopiedDay[];
}

export function tierEntries({ copies, find, copiedDays }: Dependencies): TierEntries {
  return {
    one: async (record, key) => {
      const [entry] = await find(record, [key], PAGE_MAX_BYTES);
      if (entry !== undefined) return entry;
      if (!(await copiedDays()).some((day) => isOf(day, key))) return null;
      const [copied = null] = await copies.find(record, [key], PAGE_MAX_BYTES);
      return copied;
    },

    all: async (record, keys) => {
      const byName = new Map<string, LogEntry>();
      const add = (entries: readonly LogEntry[]): void => {
        for (const entry of entries) byName.set(entryName(entry), entry);
      };
      if (keys.length > 0) add(await find(record, keys, PAGE_MAX_BYTES));
      const missing = keys.filter((key) => !byName.has(entryName(key)));
      if (missing.length > 0) add(await copies.find(record, missing, PAGE_MAX_BYTES));
      const firstMissing = keys.findIndex((key) => !byName.has(entryName(key)));
      const found = firstMissing === -1 ? keys : keys.slice(0, firstMissing);
      return itemsThatFit(
        found.flatMap((key) => byName.get(entryName(key)) ?? []),
        ({ message }) => utf8Length(message),
      );
    },

    newestKey: async (record, id, { key, days }, signal) => {
      const [newest] = days;
      if (newest === undefined || (key !== null && key.timestamp.getTime() >= newest.day + DAY_MS))
        return key;
      const copied = await copies.findKey(record, id, days, signal);
      if (key === null || copied === null) return key ?? copied;
      return copied.timestamp > key.timestamp ? copied : key;
    },
  };
}

function isOf({ day }: CopiedDay, { timestamp }: EntryKey): boolean {
  return startOfDay(timestamp.getTime()) === day;
}
