import { sampleMessage } from '../sample-message.ts';
import { typeOf } from './log-of-records.ts';

export interface WantedPage {
  readonly query: string;
  readonly count: number;
  /** The expected messages, newest first. */
  readonly messages: readonly string[];
}

const LIMIT = 100;

/** Returns the measured pages of a log with this many entries, numbered by time, and their expected content. */
export function wantedPages(entries: number): readonly WantedPage[] {
  const newestFirst = Array.from({ length: entries }, (_, age) => entries - 1 - age);
  const page = (offset: number, type?: string): WantedPage => {
    const found = type === undefined ? newestFirst : newestFirst.filter((number) => typeOf(number) === type);
    return {
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
