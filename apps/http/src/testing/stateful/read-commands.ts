import type { WireConfigRecord, WireConfigRecordPage } from '@plugin-config/contract';
import fc from 'fast-check';
import { expect } from 'vitest';
import { byPosition, REGISTERED, type ModelFamily, type ModelRecord, shownConfig } from './model.ts';
import {
  expectBody,
  expectHistory,
  expectRecord,
  expectRejected,
  expectStatus,
  familyCommand,
  places,
  recordCommand,
  type Command,
  type Target,
} from './service.ts';
import type { Wire } from '../wire.ts';

const picks = { place: places, pick: fc.nat(20) };

const retrieve = recordCommand(
  'retrieve',
  fc.record({ ...picks, known: fc.constantFrom('none', 'latest', 'first', 'any') }),
  async (target, { known }) => {
    const { tags, version } = target.record;
    const tag = { none: undefined, any: '*', latest: tags.at(-1)?.tag, first: tags.at(0)?.tag }[known];
    const isCurrent =
      tag !== undefined && (tag === '*' || tags.some((one) => one.tag === tag && one.version === version));
    const headers = tag === undefined ? {} : { 'if-none-match': tag };
    const response = await target.call('GET', target.path, { headers });
    expectStatus(response, isCurrent ? 304 : 200);
    if (isCurrent) expect(response.text).toBe('');
    else expectRecord(target, response);
  },
);

const activity = recordCommand(
  'activity',
  fc.record({ ...picks, limit: fc.integer({ min: 1, max: 4 }), offset: fc.nat(6) }),
  async (target, { limit, offset: first }) => {
    for (let offset = first; ; offset += limit) {
      const path = `${target.path}/activity?limit=${limit}&offset=${offset}`;
      const response = await target.call<Wire<'activityView'>>('GET', path);
      expectHistory(target, response, { limit, offset });
      const isLast = offset + limit >= target.record.history.length;
      expect(response.body.next?.endsWith(`limit=${limit}&offset=${offset + limit}`) ?? null).toBe(
        isLast ? null : true,
      );
      if (isLast) return;
    }
  },
);

const frontend = recordCommand('frontend', fc.record(picks), async (target) => {
  const response = await target.call('GET', `${target.path}/frontend`);
  expectStatus(response, 200);
  const { body } = response;
  const { record } = target;
  const isRegistered = record.fields.plugin === REGISTERED.id;
  const host = isRegistered ? shownConfig(record)['host'] : undefined;
  expect(JSON.parse(body.config)).toEqual(host === undefined ? {} : { host });
  const { id, name } = REGISTERED;
  expect(body.plugin_info).toBe(isRegistered ? JSON.stringify({ id, name, icon: null, url: null }) : null);
});

interface Filter {
  readonly deleted?: boolean;
  readonly enabled?: boolean;
  readonly plugin?: number;
  readonly search?: string;
}

const filters: fc.Arbitrary<Filter> = fc.record(
  {
    deleted: fc.boolean(),
    enabled: fc.boolean(),
    plugin: fc.integer({ min: 1, max: 3 }),
    search: fc.constantFrom('A', '%', '_', 'Ü', 'b', 'racer'),
  },
  { requiredKeys: [] },
);

/** Returns the records of a list in order. */
function listed(
  { records }: ModelFamily,
  { deleted = false, enabled, plugin, search }: Filter,
): readonly ModelRecord[] {
  const has = (text: string | null): boolean =>
    text?.toLowerCase().includes((search ?? '').toLowerCase()) === true;
  return records
    .filter(({ fields }) => fields.deleted === deleted)
    .filter(({ fields }) => enabled === undefined || fields.enabled === enabled)
    .filter(({ fields }) => plugin === undefined || fields.plugin === plugin)
    .filter(({ fields }) => search === undefined || has(fields.name) || has(fields.description))
    .toSorted(byPosition);
}

/** Reads a list page by page, starting at an offset, and returns the tag of the first page. */
export async function expectList(
  { family, call, path, projectId }: Target,
  {
    filter = {},
    limit = 100,
    offset = 0,
  }: { readonly filter?: Filter; readonly limit?: number; readonly offset?: number } = {},
): Promise<string> {
  const expected = listed(family, filter);
  const parameters = new URLSearchParams(
    Object.entries({ ...filter, limit, offset }).map(([k, v]) => [k, String(v)]),
  );
  const first = await call<WireConfigRecordPage>('GET', `${path}?${parameters.toString()}`);
  expect(first.body.previous === null).toBe(offset === 0);
  let page = first.body;
  const found: WireConfigRecord[] = [];
  for (;;) {
    expect([page.count, page.results.length]).toEqual([
      expected.length,
      Math.max(0, Math.min(limit, expected.length - offset - found.length)),
    ]);
    found.push(...page.results);
    if (page.next === null) break;
    const next = new URL(page.next);
    const rest = next.pathname.slice(next.pathname.indexOf(path)) + next.search;
    page = (await call<WireConfigRecordPage>('GET', rest)).body;
  }
  expect(found.map(({ id }) => id)).toEqual(expected.slice(offset).map(({ id }) => id));
  for (const [n, record] of expected.slice(offset).entries()) {
    const body = found[n];
    if (body !== undefined) expectBody({ record, projectId }, body);
  }
  return first.headers.get('etag') ?? '';
}

const list = familyCommand(
  'list',
  fc.record({ place: places, filter: filters, limit: fc.integer({ min: 1, max: 5 }), offset: fc.nat(5) }),
  async (target, page) => {
    await expectList(target, page);
  },
);

/** The tag of a list is current until a record of its family changes. */
const revalidate = familyCommand(
  'revalidate',
  fc.record({ place: places, filter: filters }),
  async (target, { filter }) => {
    const { family, call, path } = target;
    const parameters = new URLSearchParams(Object.entries(filter).map(([k, v]) => [k, String(v)])).toString();
    const known = family.tags.findLast(({ query }) => query === parameters);
    const headers = known === undefined ? {} : { 'if-none-match': known.tag };
    const { status, headers: sent } = await call('GET', `${path}?${parameters}`, { headers });
    expect(status).toBe(known?.version === family.version ? 304 : 200);
    family.tags.push({ version: family.version, tag: sent.get('etag') ?? '', query: parameters });
  },
);

/** A record is not found in other projects and families. */
const accessElsewhere = recordCommand(
  'access elsewhere',
  fc.record({ ...picks, other: places }),
  async (target, { place, other }) => {
    if (place.project === other.project && place.family === other.family) return;
    const { projects } = target.model;
    const { id } = target.record;
    expect(projects[other.project]?.[other.family].records.some((record) => record.id === id)).toBe(false);
    const path = `/${other.family}/${id}`;
    const body = { plugin: 3, enabled: true };
    const requests = [
      ['GET', path],
      ['PATCH', path],
      ['PUT', path],
      ['DELETE', path],
      ['PUT', `${path}/config`],
      ['POST', `${path}/job`],
      ['GET', `${path}/jobs`],
      ['GET', `${path}/activity`],
      ['GET', `${path}/frontend`],
    ] as const;
    for (const [method, url] of requests)
      expectRejected(
        await target.callAt(other.project)(
          method,
          url,
          method === 'GET' || method === 'DELETE' ? {} : { body },
        ),
        [404, 'not_found', null],
      );
  },
);

export const READ_COMMANDS: readonly fc.Arbitrary<Command>[] = [
  retrieve,
  activity,
  frontend,
  list,
  revalidate,
  accessElsewhere,
];
