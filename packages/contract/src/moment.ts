import * as z from 'zod';
import { orNull, parameter } from './parameter.ts';

/** A moment of an answer: UTC, milliseconds, `Z`. */
export const moment = z.iso.datetime({ precision: 3 }).meta({ examples: ['2026-03-01T09:30:00.000Z'] });

const written = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A moment of a query, in ISO 8601. Without an offset it is UTC, as everything else is. Moments are kept in
 * milliseconds: of one between two of them, what is later begins after the lower, and what is earlier ends before the
 * upper.
 */
export const afterParameter = momentParameter({ between: Math.floor });
export const beforeParameter = momentParameter({ between: Math.ceil });

function momentParameter({ between }: { readonly between: (milliseconds: number) => number }) {
  return parameter(orNull(z.date().meta({ type: 'string', format: 'date-time' })), {
    read: (text) => {
      const time = readMilliseconds(text);
      return time === undefined ? undefined : new Date(Math.max(EARLIEST, Math.min(between(time), LATEST)));
    },
    expected: 'A valid ISO 8601 date-time is required, such as 2026-03-01T09:30:00Z.',
  });
}

/** A plus sign that was not escaped arrives as a space. */
function readMilliseconds(text: string): number | undefined {
  const iso = text.replace(/ (?=\d\d:\d\d$)/, '+');
  if (!written.safeParse(iso).success) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(iso) || !iso.includes('T');
  const time = Date.parse(hasZone ? iso : `${iso}Z`);
  return isBetween(iso) ? time + 0.5 : time;
}

/** The engine reads no more than three digits of a second's fraction. */
function isBetween(iso: string): boolean {
  return /\.\d{3}\d*[1-9]/.test(iso);
}
