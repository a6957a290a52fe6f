import type { WireConfigRecord, WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { FAMILIES } from '@plugin-config/domain';
import { describe, expect } from 'vitest';
import type { Call } from '../testing/caller.ts';
import { test } from '../testing/service.fixture.ts';

interface Poll {
  readonly version: string;
  readonly records: readonly WireConfigRecord[];
  readonly next: string | null;
  readonly count: number;
}

async function list(call: Call, path: string): Promise<Poll> {
  const { status, headers, body } = await call<WireConfigRecordPage>('GET', path);
  expect([status, body]).toEqual([200, body]);
  const version = headers.get('x-family-version') ?? '';
  expect(version).toMatch(/^[0-9a-f]{8}(\.\d+){3}(-\d+)?$/);
  return { version, records: body.results, next: body.next, count: body.count };
}

const numberOf = (version: string): number => Number(version.split('.')[3]);
const idsOf = (records: readonly WireConfigRecord[]) => records.map(({ id }) => id);

describe.each(FAMILIES)('changes to %s since a version', (family) => {
  const since = (version: string, more = '') => `/${family}?changed_since=${version}${more}`;
  const create = async (call: Call, body: object = {}): Promise<WireConfigRecord> =>
    (await call('POST', `/${family}`, { body: { plugin: 7, ...body } })).body;

  test('include deleted records, and are listed once', async ({ call }) => {
    const [one, two] = [await create(call), await create(call)];
    const { version } = await list(call, `/${family}`);
    expect(await list(call, since(version))).toMatchObject({ version, records: [], count: 0, next: null });
    await call('PATCH', `/${family}/${two.id}`, { body: { name: 'Two' } });
    await call('DELETE', `/${family}/${one.id}`);
    const changed = await list(call, since(version));
    expect(changed.records).toMatchObject([
      { id: two.id, name: 'Two', deleted: false },
      { id: one.id, deleted: true },
    ]);
    expect((await list(call, since(changed.version))).records).toEqual([]);
  });

  test('have links between pages, which keep the other parameters', async ({ call }) => {
    const { version } = await list(call, `/${family}`);
    const records = [await create(call), await create(call), await create(call)];
    await create(call, { enabled: true });
    const listedIds: number[] = [];
    let path: string | null = since(version, '&limit=1&enabled=false');
    while (path !== null) {
      const page: Poll = await list(call, path);
      listedIds.push(...idsOf(page.records));
      expect(page.next ?? '').not.toContain('offset');
      path = page.next?.slice(page.next.indexOf(`/${family}`)) ?? null;
    }
    expect(listedIds).toEqual(idsOf(records));
  });

  test('are rejected for an invalid version or one that the family has not reached', async ({ call }) => {
    await create(call);
    for (const version of [
      'another.1',
      '999999999',
      '9999999999999999',
      'yesterday',
      '1-',
      '-1',
      '1.5',
      '1.5.5',
    ]) {
      const { status, body } = await call<WireErrorBody>('GET', since(version));
      expect([version, status, body]).toMatchObject([
        version,
        400,
        { type: 'validation_error', code: 'invalid_input', attr: 'changed_since' },
      ]);
    }
  });

  test('include the version of the family, even if nothing has changed or the response is cached', async ({
    call,
  }) => {
    const record = await create(call);
    const { headers } = await call('GET', `/${family}`);
    const etag = headers.get('etag') ?? '';
    const version = headers.get('x-family-version');
    const again = await call('GET', `/${family}`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('x-family-version')]).toEqual([304, version]);
    await call('POST', `/${family}/${record.id}/job`, { body: {} });
    const later = await list(call, `/${family}`);
    expect(numberOf(later.version)).toBeGreaterThan(numberOf(version ?? ''));
  });
});
