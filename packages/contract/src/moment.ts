import * as z from 'zod';
import { orNull, parameter } from './parameter.ts';

/** Anything longer only adds digits to the fraction of the second. */
const TEXT_MAX = 64;
const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** A date-time in a response: UTC, milliseconds, `Z`. */
export const moment = z.iso
  .datetime({ precision: 3 })
  .meta({ maxLength: 24, examples: ['2026-03-01T09:30:00.000Z'] });

/** A date-time in a request body, in the years 1 to 9999 of UTC. */
export const sentMoment = z.iso
  .datetime({ offset: true })
  .max(TEXT_MAX)
  .refine((text) => Date.parse(text) >= EARLIEST && Date.parse(text) <= LATEST)
  .transform((text) => new Date(text))
  .meta({ type: 'string', format: 'date-time', maxLength: TEXT_MAX, examples: ['2027-03-01T09:30:00Z'] });

const isoText = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

/** Describes `afterParameter` and `beforeParameter`. */
export const MOMENT_FORMAT = 'An ISO 8601 date or date-time; UTC if it has no offset.';

/** Stored timestamps have milliseconds, so a finer `after` is rounded down and a finer `before` is rounded up. */
export const afterParameter = momentParameter({ round: Math.floor });
export const beforeParameter = momentParameter({ round: Math.ceil });

function momentParameter({ round }: { readonly round: (milliseconds: number) => number }) {
  return parameter(orNull(z.date().meta({ type: 'string', format: 'date-time', maxLength: TEXT_MAX })), {
    read: (text) => {
      const time = readMilliseconds(text);
      return time === undefined ? undefined : new Date(Math.max(EARLIEST, Math.min(round(time), LATEST)));
    },
    expected: 'A valid ISO 8601 date-time is required, such as 2026-03-01T09:30:00Z.',
  });
}

/** Accepts a space before the offset, which is how an unescaped plus sign arrives. */
function readMilliseconds(text: string): number | undefined {
  const iso = text.replace(/ (?=\d\d:\d\d$)/, '+');
  if (!isoText.safeParse(iso).success) return undefined;
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(iso) || !iso.includes('T');
  const time = Date.parse(hasZone ? iso : `${iso}Z`);
  return isFinerThanMilliseconds(iso) ? time + 0.5 : time;
}

/** `Date.parse` ignores all but three digits of the fraction. */
function isFinerThanMilliseconds(iso: string): boolean {
  return /\.\d{3}\d*[1-9]/.test(iso);
}
