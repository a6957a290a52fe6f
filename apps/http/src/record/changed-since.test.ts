import type { WireConfigRecord, WireConfigRecordPage, WireErrorBody } from '@plugin-config/contract';
import { FAMILIES, registerPlugin } from '@plugin-config/domain';
import { anAuthor, aPlugin } from '@plugin-config/testing';
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

  test('can be polled page by page without gaps while records are changing', async ({ call }) => {
    const { version } = await list(call, `/${family}`);
    const records: WireConfigRecord[] = [];
    for (let i = 0; i < 5; i++) records.push(await create(call));
    const first = await list(call, since(version, '&limit=2'));
    expect([idsOf(first.records), first.count]).toEqual([idsOf(records.slice(0, 2)), 5]);
    for (const { id } of records.slice(0, 3)) {
      await call('PATCH', `/${family}/${id}`, { body: { name: 'changed later' } });
    }
    const listed = new Map<number, string | null>(first.records.map(({ id, name }) => [id, name]));
    for (let at = first.version, left = 1; left > 0;) {
      const page = await list(call, since(at, '&limit=2'));
      for (const { id, name } of page.records) listed.set(id, name);
      [at, left] = [page.version, page.records.length];
    }
    const all = await list(call, `/${family}`);
    expect([...listed].toSorted(([a], [b]) => a - b)).toEqual(all.records.map(({ id, name }) => [id, name]));
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

  test('are filtered by the current values of the records', async ({ call }) => {
    const { version } = await list(call, `/${family}`);
    const live = await create(call, { name: 'needle' });
    const deleted = await create(call, { deleted: true });
    const listed = async (filter: string) => idsOf((await list(call, since(version, filter))).records);
    expect(await listed('&deleted=true')).toEqual([deleted.id]);
    expect(await listed('&deleted=false')).toEqual([live.id]);
    expect(await listed('&search=needle')).toEqual([live.id]);
    expect(await listed('&plugin=8')).toEqual([]);
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

  test('are rejected once after the plugin of a record is registered or removed, but not after another plugin is', async ({
    call,
    service,
  }) => {
    const plugin = family === 'plugin_configs' ? 61 : 62;
    const register = (id: number, name: string) =>
      registerPlugin(service.ports, aPlugin({ id, name }), anAuthor());
    await create(call, { plugin });
    await register(plugin, 'First');
    const changes: readonly (() => Promise<unknown>)[] = [
      () => register(plugin, 'Second'),
      () => service.ports.plugins.remove(plugin, anAuthor()),
    ];
    for (const change of changes) {
      const { version } = await list(call, `/${family}`);
      await register(63, version);
      await register(plugin, 'First');
      expect((await list(call, since(version))).records).toEqual([]);
      await change();
      const { status, body } = await call<WireErrorBody>('GET', since(version));
      expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', 'changed_since']);
      const { version: next } = await list(call, `/${family}`);
      expect((await list(call, since(next))).records).toEqual([]);
      await register(plugin, 'First');
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
