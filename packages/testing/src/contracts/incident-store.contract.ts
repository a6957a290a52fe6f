import { ingest, type ConfigRecord, type IncidentFilter } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { anAlert } from '../builders/an-alert.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { anAuthor, secondsLater } from '../builders/an-author.ts';
import { anErrorReport } from '../builders/an-ingest-message.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';
import { droppedBy } from './dropped-by.ts';
import { evaluateAt, incidentsOf, unnamed } from './evaluate-at.ts';

const NO_FILTER: IncidentFilter = { alertId: null, recordId: null, plugin: null, open: null };

export function incidentStoreContract(test: TestWith<LogPorts>): void {
  test('open incidents come first, then the newest, in pages', async (ports) => {
    const { family, incidents, alert, records } = await threeIncidents(ports);
    const [first, second, third] = incidents;
    const page = async (given: Partial<IncidentFilter>, limit = 10, offset = 0) => {
      const found = await ports.incidents.page(
        family.projectId,
        { ...NO_FILTER, ...given },
        { limit, offset },
      );
      return { count: found.count, items: found.items.map(unnamed) };
    };
    expect(await page({})).toEqual({ count: 3, items: [third, second, first] });
    expect(await page({}, 1, 1)).toEqual({ count: 3, items: [second] });
    expect(await page({}, 1, 3)).toEqual({ count: 3, items: [] });
    expect(await page({ open: true })).toEqual({ count: 1, items: [third] });
    expect(await page({ open: false })).toEqual({ count: 2, items: [second, first] });
    const [one] = records;
    expect(await page({ alertId: alert.id, recordId: one.id })).toEqual({ count: 2, items: [third, first] });
    const other = await aFamily(ports);
    expect(await incidentsOf(ports, other.projectId, { alertId: alert.id })).toEqual([]);
  });

  test('the incidents of all projects are listed with what they are about', async (ports) => {
    const one = await threeIncidents(ports);
    const two = await threeIncidents(ports);
    const list = (filter: Partial<IncidentFilter>) =>
      ports.incidents.page(null, { ...NO_FILTER, ...filter }, { limit: 10, offset: 0 });
    const both = [two, one];
    const open = both.map(({ incidents }) => incidents[2]?.id);
    const closed = both.flatMap(({ incidents }) => [incidents[1]?.id, incidents[0]?.id]);
    const { count, items } = await list({});
    expect([count, items.map(({ id }) => id)]).toEqual([6, [...open, ...closed]]);
    const [record] = one.records;
    const named = { id: record.id, name: `Record ${record.id}` };
    expect(items[1]).toEqual({
      ...one.incidents[2],
      project: { id: one.family.projectId, externalId: null, name: 'Project' },
      record: named,
      plugin: { id: record.plugin, slug: null, name: null },
    });
    await ports.records.save(aRecordWrite(await shown(ports, record), { plugin: 4711 }));
    expect((await list({ open: true, plugin: record.plugin })).count).toBe(2);
    expect((await list({ plugin: 4711 })).count).toBe(0);
    await ports.erasures.start(two.family.projectId, 'Project', anAuthor());
    expect((await list({})).count).toBe(3);
  });

  test('incidents are deleted a while after they were closed', async (ports) => {
    const { family, incidents } = await threeIncidents(ports);
    const closed = incidents[1]?.closedAt ?? new Date();
    const age = Date.now() - closed.getTime();
    expect(await droppedBy(ports.retention.incidents(age + 1000))).toBe(1);
    expect(await incidentsOf(ports, family.projectId)).toEqual([incidents[2], incidents[1]]);
    expect(await droppedBy(ports.retention.incidents(age - 1000))).toBe(1);
    expect(await droppedBy(ports.retention.incidents(0))).toBe(0);
    expect(await incidentsOf(ports, family.projectId)).toEqual([incidents[2]]);
  });
}

async function shown(ports: LogPorts, record: ConfigRecord): Promise<ConfigRecord> {
  return (await ports.records.find(record)).value ?? record;
}

/** Creates a closed incident of one record, a closed one of another, and an open one of the first, a minute apart. */
async function threeIncidents(ports: LogPorts) {
  const family = await aFamily(ports);
  const records = [
    await aRecord(ports, family, { enabled: true }),
    await aRecord(ports, family, { enabled: true }),
  ] as const;
  const alert = await anAlert(ports, family);
  const errors = [
    ['timed out', null],
    [null, 'timed out'],
    ['timed out', null],
  ] as const;
  for (const [minute, texts] of errors.entries()) {
    const timestamp = secondsLater(60 * minute).getTime();
    await ingest(
      ports,
      records.map((record, i) => anErrorReport(record, texts[i] ?? null, { timestamp })),
    );
    await evaluateAt(ports, secondsLater(60 * minute + 1));
  }
  const incidents = (await incidentsOf(ports, family.projectId)).toSorted((a, b) => a.id - b.id);
  return { family, records, alert, incidents };
}
