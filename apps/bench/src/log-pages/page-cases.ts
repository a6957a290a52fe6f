import { sampleMessage } from '../sample-message.ts';
import { typeOf, type LargeLog } from './log-of-records.ts';

export interface PageCase {
  readonly log: LargeLog;
  readonly query: string;
  readonly count: number;
  /** The expected messages, newest first. */
  readonly messages: readonly string[];
}

const LIMIT = 100;
const DAY_MS = 86_400_000;

/** Returns the measured pages of a log with this many entries, numbered by time, and their expected content. */
export function pageCases(log: LargeLog, entries: number): readonly PageCase[] {
  const newestFirst = Array.from({ length: entries }, (_, age) => entries - 1 - age);
  const page = (offset: number, type?: string): PageCase => {
    const found = type === undefined ? newestFirst : newestFirst.filter((number) => typeOf(number) === type);
    return {
      log,
      query: `${type === undefined ? '' : `type_filter=${type}&`}offset=${offset}`,
      count: found.length,
      messages: found.slice(offset, offset + LIMIT).map(sampleMessage),
    };
  };
  return [
    page(0),
    page(Math.floor(entries * 0.5)),
    page(Math.floor(entries * 0.99)),
    page(0, 'ERROR'),
    page(Math.floor(entries * 0.2), 'INFO'),
  ];
}

/** Returns searches for one message in the middle of the log with even hours: in the whole log, and in the day around it. */
export function searchCases(entries: number, filledAt: number): readonly PageCase[] {
  const number = entries >> 1;
  const search = `search=${encodeURIComponent(`number ${number}`)}`;
  const middle = filledAt - 3 * DAY_MS;
  const day = `after=${isoTime(middle - DAY_MS / 2)}&before=${isoTime(middle + DAY_MS / 2)}`;
  const found = { log: 'even hours', count: 1, messages: [sampleMessage(number)] } as const;
  return [search, `${search}&${day}`].map((query) => ({ ...found, query }));
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
