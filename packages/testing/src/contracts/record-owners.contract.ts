import { NO_QUOTA } from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

function ownersOf({ stores }: LogPorts, ids: readonly number[]) {
  return stores.withBatch(({ owners }) => owners.of(ids));
}

export function recordOwnersContract(test: TestWith<LogPorts>): void {
  test('the owners of all existing records of both families are found', async (ports) => {
    const config = await aRecord(ports, await aFamily(ports), { plugin: 42 });
    const pipeline = await aRecord(ports, await aFamily(ports, 'pipeline_transformation_configs'));
    const { projectId, family, plugin } = pipeline;
    expect(await ownersOf(ports, [999_999, pipeline.id, config.id])).toEqual(
      new Map([
        [
          config.id,
          { projectId: config.projectId, family: 'plugin_configs', plugin: 42, logQuota: NO_QUOTA },
        ],
        [pipeline.id, { projectId, family, plugin, logQuota: NO_QUOTA }],
      ]),
    );
    expect(await ownersOf(ports, [])).toEqual(new Map());
  });

  test('a deleted record has an owner, too', async (ports) => {
    const { id } = await aRecord(ports, await aFamily(ports), { deleted: true });
    expect([...(await ownersOf(ports, [id])).keys()]).toEqual([id]);
  });

  test('an owner has the current plugin of its record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { plugin: 7 });
    await ports.records.save(aRecordWrite(record, { plugin: 8 }));
    expect((await ownersOf(ports, [record.id])).get(record.id)?.plugin).toBe(8);
  });
}
