import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { WireError } from './wire-error.ts';

const NAME = 'dry_run';
const NON_LETTERS = /[^a-z]/g;

/** Returns whether a text contains the name of the parameter in any spelling. */
function mentionsDryRun(text: string): boolean {
  return text.toLowerCase().replaceAll(NON_LETTERS, '').includes('dryrun');
}

/** The query parameter of every write. */
export const dryRunParameters = {
  [NAME]: z
    .boolean()
    .default(false)
    .meta({
      param: { id: 'DryRun' },
      description:
        'If `true`, the service responds as if it had carried out the request, with the header `Dry-Run: true`, but stores ' +
        'nothing. Ids and times in the response are examples, and a token in it does not work.',
    }),
};

/** Returns whether an endpoint supports dry runs: all writes do, except signing in and out, which store nothing. */
export function hasDryRun({ method, needs }: Pick<Endpoint, 'method' | 'needs'>): boolean {
  return method !== 'GET' && needs !== 'page';
}

type Query = Readonly<Record<string, unknown>>;

/**
 * Returns whether the parsed query of a write requests a dry run.
 * @throws WireError for an invalid value or a misspelt parameter: ignoring either would carry out the write
 */
export function readDryRun(parsed: unknown): boolean {
  const query = parsed as Query;
  for (const [name, value] of Object.entries(query)) {
    if (name !== NAME && mentionsDryRun(`${name}=${String(value)}`))
      throw new WireError('invalid_input', `The parameter is called ${NAME}.`, NAME);
  }
  const value = query[NAME];
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new WireError('invalid_input', 'A single value is required: true or false.', NAME);
}

/** Throws if a dry run is requested of an endpoint that does not support it. */
export function rejectDryRun(query: unknown): void {
  if (readDryRun(query))
    throw new WireError('invalid_input', 'This request does not support dry runs.', NAME);
}
