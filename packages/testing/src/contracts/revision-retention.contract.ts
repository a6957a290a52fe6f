import { setConfiguration, updateRecord, type ConfigRecord } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { anAuthor } from '../builders/an-author.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { countersOf, WHOLE } from './read-state.ts';

export function revisionRetentionContract(test: TestWith<Ports>): void {
  test('only the newest revisions of each record are kept, with their configurations', async (ports) => {
    const family = await aFamily(ports);
    const [few, many] = [await aRecord(ports, family), await aRecord(ports, family)];
    await rename(ports, few, 2);
    const configured = await configure(ports, many, { a: 1 });
    const renamed = await rename(ports, configured, 3);
    await rename(ports, await configure(ports, renamed, { a: 2 }), 2);
    const before = await ports.revisions.page(many, WHOLE);
    expect(before.items.map(({ number }) => number)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const counters = await countersOf(ports, family);
    expect(await droppedBy(ports.retention.revisions(5))).toBe(3);
    expect(await droppedBy(ports.retention.revisions(5))).toBe(0);
    expect(await ports.revisions.page(many, WHOLE)).toEqual({ count: 5, items: before.items.slice(0, 5) });
    expect((await ports.revisions.page(few, WHOLE)).count).toBe(3);
    expect(await ports.revisions.find(many, 3)).toBeNull();
    expect(await droppedBy(ports.retention.revisions(1))).toBe(6);
    expect((await ports.revisions.page(many, WHOLE)).items).toEqual(before.items.slice(0, 1));
    expect(await countersOf(ports, family)).toEqual(counters);
  });
}

async function rename(ports: Ports, record: ConfigRecord, times: number): Promise<ConfigRecord> {
  let last = record;
  for (let i = 0; i < times; i++) {
    last = await updateRecord(
      { ...ports, requireRegistered: false },
      { record: last, precondition: null, change: { name: `${last.version}` }, author: anAuthor() },
    );
  }
  return last;
}

function configure(
  ports: Ports,
  record: ConfigRecord,
  newConfig: { readonly a: number },
): Promise<ConfigRecord> {
  const command = { record, precondition: null, newConfig, author: anAuthor() };
  return setConfiguration(ports, command);
}
