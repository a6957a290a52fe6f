import { documentErrorBody, type WireErrorBody } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { propertyRuns, propertyTimeout } from '../../../../../tools/property-runs.ts';
import { caller } from '../caller.ts';
import { test as base } from '../service.fixture.ts';
import { DESCRIBED, type DescribedOperation } from './described-operations.ts';
import { exchange } from './exchange.ts';
import { fingerprint } from './fingerprint.ts';
import { oddities, oddRequest, type Ids, type Oddity } from './odd-request.ts';

// Every input of every endpoint with odd values, from the definitions that are mounted and documented.

const SLOW_MS = 5000;
/** What is stored is compared for one request of so many. */
const SAMPLE = Math.ceil(40 / propertyRuns(1));
const RUNS = 10;
const USUAL_MS = 60_000;
/** Refused before the request reaches its endpoint. */
const EARLY = new Set([404, 405, 431]);
/** Each endpoint once: its families differ in name only. */
const ONE_EACH = DESCRIBED.filter(
  ({ endpoint }, n) => DESCRIBED.findIndex((one) => one.endpoint === endpoint) === n,
);

interface Target {
  readonly url: string;
  readonly token: string;
  /** Makes a record with a queued job. */
  readonly make: (operation: DescribedOperation) => Promise<Ids>;
  /** A digest of everything that is stored. */
  readonly stored: () => Promise<string>;
}

interface Fixtures {
  readonly target: Target;
}

const test = base.extend<Fixtures>({
  target: async ({ service, project, database }, use) => {
    const { token } = await service.issueKey({ projectIds: [project.id] });
    const call = caller({ base: `${service.url}/api/projects/${project.id}`, token });
    const make = async ({ family }: DescribedOperation): Promise<Ids> => {
      const path = `/${family ?? 'plugin_configs'}`;
      const { body: record } = await call('POST', path, { body: { plugin: 7 } });
      const { headers } = await call('POST', `${path}/${record.id}/job`, { body: {} });
      const job = headers.get('location')?.split('/').at(-1) ?? '';
      return { project: project.id, record: record.id, job };
    };
    await use({ url: service.url, token, make, stored: await fingerprint(database) });
  },
});

/**
 * Sends odd requests of an operation, one after the other. Expects an answer to each in time and, if it is a refusal, the
 * documented form. In samples, expects that a refusal changed nothing.
 */
async function sender({ url, token, make, stored }: Target, operation: DescribedOperation) {
  const ids = await make(operation);
  let sent = 0;
  return async (odd: readonly Oddity[]): Promise<WireErrorBody | null> => {
    const { lines, body } = oddRequest(operation, ids, token, odd);
    const isSample = sent++ % SAMPLE === 0;
    const before = isSample ? await stored() : null;
    const start = performance.now();
    const { status, head, body: text } = await exchange(url, lines, body);
    const took = performance.now() - start;
    const after = isSample ? await stored() : null;
    const isRefused = status >= 400;
    const { data = null } = isRefused ? documentErrorBody.strict().safeParse(JSON.parse(text)) : {};
    const faults = {
      'took long': took >= SLOW_MS,
      failed: status >= 500,
      'changed something': after !== before && (isRefused || operation.endpoint.method === 'GET'),
      'has another form': isRefused && data === null,
      'is not documented': !(
        operation.statuses.has(status) ||
        EARLY.has(status) ||
        data?.code === 'parse_error'
      ),
    };
    const told = [lines[0], odd, head, text].map((part) => JSON.stringify(part).slice(0, 500));
    const found = Object.entries(faults).flatMap(([fault, is]) => (is ? [fault] : []));
    expect([found, ...told]).toEqual([[], ...told]);
    return data;
  };
}

/** Whether the error names the odd input, or the object that it is in. What is odd as a whole has no name. */
function isNamed({ fields }: DescribedOperation, odd: Oddity, { attr, code }: WireErrorBody): boolean {
  // An example may name what is not there, and the place of an error in a document is told without the document.
  if (code === 'does_not_exist' && /^(?:records|keys)\[/.test(attr ?? '')) return true;
  if (odd.in === 'field' && odd.name.startsWith('document'))
    return odd.name === 'document' || attr?.startsWith(odd.name.slice('document.'.length)) === true;
  if (odd.in === 'path' || odd.in === 'body') return true;
  if (odd.in === 'field' && fields?.length === 0) return attr === odd.name || attr === 'config';
  const [whole] = odd.name.split('.');
  return attr === odd.name || attr === whole || attr?.startsWith(`${odd.name}.`) === true;
}

test.for(ONE_EACH)(
  '$title: no odd value breaks it, and a refusal names the input',
  { timeout: propertyTimeout(USUAL_MS) },
  async (operation, { target }) => {
    const send = await sender(target, operation);
    for (const odd of oddities(operation)) {
      const refusal = await send([odd]);
      if (refusal?.type === 'validation_error')
        expect([odd, refusal]).toSatisfy(() => isNamed(operation, odd, refusal));
    }
  },
);

test.for(DESCRIBED)(
  '$title: no odd values together break it',
  { timeout: propertyTimeout(USUAL_MS) },
  async (operation, { target }) => {
    const send = await sender(target, operation);
    const several = fc.array(fc.constantFrom(...oddities(operation)), { minLength: 2, maxLength: 4 });
    const property = fc.asyncProperty(several, async (odd) => void (await send(odd)));
    await fc.assert(property, { numRuns: propertyRuns(RUNS) });
  },
);
