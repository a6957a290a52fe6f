import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import { WireError } from './wire-error.ts';

const NAME = 'dry_run';
const BESIDE_LETTERS = /[^a-z]/g;

/** Whether a text names the parameter, in whatever spelling and beside whatever else. */
function mentions(text: string): boolean {
  return text.toLowerCase().replaceAll(BESIDE_LETTERS, '').includes('dryrun');
}

/** The query parameter of every write. */
export const dryRunParameters = {
  [NAME]: z
    .boolean()
    .default(false)
    .meta({
      param: { id: 'DryRun' },
      description:
        'With `true`, the request is answered as if it were carried out, with `Dry-Run: true`, and nothing is stored. The ' +
        'ids and times in the answer are examples, and a token is of no use.',
    }),
};

/** Whether an endpoint changes what is stored, so that it has a dry run. Beginning and ending a session stores nothing. */
export function hasDryRun({ method, needs }: Pick<Endpoint, 'method' | 'needs'>): boolean {
  return method !== 'GET' && needs !== 'page';
}

/** A query as the server parsed it. */
type Query = Readonly<Record<string, unknown>>;

/**
 * Whether the query of a write asks for a dry run.
 * @throws WireError for another value, and if another parameter mentions it: that would be ignored, and the write carried out
 */
export function readDryRun(parsed: unknown): boolean {
  const query = parsed as Query;
  for (const [name, value] of Object.entries(query)) {
    if (name !== NAME && mentions(`${name}=${String(value)}`))
      throw new WireError('invalid_input', `The parameter is called ${NAME}.`, NAME);
  }
  const sent = query[NAME];
  if (sent === undefined || sent === 'false') return false;
  if (sent === 'true') return true;
  throw new WireError('invalid_input', 'Either true or false is required, once.', NAME);
}

/** Rejects a dry run of what has none. */
export function rejectDryRun(query: unknown): void {
  if (readDryRun(query)) throw new WireError('invalid_input', 'This request has no dry run.', NAME);
}
