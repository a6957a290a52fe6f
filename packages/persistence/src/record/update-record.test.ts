import {
  deleteRecord,
  pluginInfo,
  registerPlugin,
  updateRecord,
  type ConfigRecord,
  type Precondition,
  type RecordChange,
} from '@plugin-config/domain';
import {
  aFamily,
  anAuthor,
  aPlugin,
  aRecord,
  aRecordWrite,
  historyOf,
  secondsLater,
  type Ports,
} from '@plugin-config/testing';
import { describe, expect } from 'vitest';
import { competing } from '../testing/competing.ts';
import { testWithPorts } from '../testing/test-with-ports.ts';

const AUTHOR = anAuthor({ at: secondsLater(60), requestId: 'update' });
const SECRET = aPlugin({ id: 8, configSchema: [{ key: 'token', type: 'string', secret: true }] });

const test = testWithPorts();

describe('updating a record', () => {
  test('an update changes only the given fields and writes one activity entry', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'Before', description: 'Text' });
    const updated = await update(ports, record, { name: 'After', order: 9, enabled: true });
    const version = record.version + 1;
    const change = { name: 'After', order: 9, enabled: true };
    expect(updated).toEqual({ ...record, ...change, updatedAt: AUTHOR.at, version });
    expect((await historyOf(ports, record))[0]).toMatchObject({
      ...AUTHOR,
      activity: 'enabled',
      changes: [
        { field: 'enabled', before: false, after: true },
        { field: 'order', before: 1, after: 9 },
        { field: 'name', before: 'Before', after: 'After' },
      ],
    });
  });

  test('a request that arrived before the latest change but is stored after it gets no earlier time', async (ports) => {
    const record = await update(ports, await aRecord(ports, await aFamily(ports)), { name: 'First' });
    const author = anAuthor({ at: secondsLater(1) });
    const late = await updateRecord(dependenciesOf(ports), {
      record,
      precondition: null,
      change: { name: 'Late' },
      author,
    });
    expect(late).toEqual({ ...record, name: 'Late', version: record.version + 1 });
    expect((await historyOf(ports, record))[0]).toMatchObject({ at: record.updatedAt });
  });

  test('an update without changes does not touch the record or its history', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports), { name: 'Name' });
    const { plugin, order, enabled } = record;
    const change = { plugin, order, enabled, name: 'Name', description: null, deleted: false };
    for (const same of [{}, change]) expect(await update(ports, record, same)).toEqual(record);
    expect((await ports.records.find(record)).value).toEqual(record);
    expect(await historyOf(ports, record)).toHaveLength(1);
  });

  test('deleting is soft, disables the record and takes effect once', async (ports) => {
    const created = await aRecord(ports, await aFamily(ports), { enabled: true });
    const record = await remove(ports, created);
    expect(record).toMatchObject({ deleted: true, enabled: false, order: created.order });
    expect(await remove(ports, record)).toEqual(record);
    expect((await historyOf(ports, created)).map(({ activity }) => activity)).toEqual(['deleted', 'created']);
  });

  test('concurrent deletions of a record write one activity entry', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const deleted = await Promise.all(Array.from({ length: 5 }, () => remove(ports, record)));
    expect(deleted).toEqual(deleted.map(() => deleted[0]));
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('a restored record is disabled and has its old position', async (ports) => {
    const created = await aRecord(ports, await aFamily(ports), { order: 4, enabled: true });
    const restored = await update(ports, await remove(ports, created), { deleted: false });
    expect(restored).toMatchObject({ deleted: false, enabled: false, order: 4 });
    expect((await historyOf(ports, created))[0]).toMatchObject({ activity: 'restored' });
  });

  test('an update without a precondition applies to the current record', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => update(ports, record, { name: 'Faster', order: 5 }));
    expect(await update({ ...ports, records }, record, { enabled: true, order: 6 })).toMatchObject({
      name: 'Faster',
      enabled: true,
      order: 6,
      version: record.version + 2,
    });
    expect((await historyOf(ports, record))[0]?.changes).toEqual([
      { field: 'enabled', before: false, after: true },
      { field: 'order', before: 5, after: 6 },
    ]);
  });

  test('an update changes nothing if a concurrent writer has stored the same values', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => update(ports, record, { name: 'Same' }));
    const updated = await update({ ...ports, records }, record, { name: 'Same' });
    expect(updated).toMatchObject({ name: 'Same', version: record.version + 1 });
    expect(await historyOf(ports, record)).toHaveLength(2);
  });

  test('enabling a record that was deleted concurrently is rejected', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const records = competing(ports.records, () => remove(ports, record));
    const updating = update({ ...ports, records }, record, { enabled: true });
    await expect(updating).rejects.toMatchObject({ code: 'invalid_input', attr: 'enabled' });
  });

  test('concurrent updates are all stored', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const changes: readonly RecordChange[] = [
      { name: 'A' },
      { description: 'B' },
      { enabled: true },
      { order: 8 },
    ];
    await Promise.all(changes.map((change) => update(ports, record, change)));
    const version = record.version + changes.length;
    const whole = { name: 'A', description: 'B', enabled: true, order: 8, version };
    expect((await ports.records.find(record)).value).toMatchObject(whole);
    expect(await historyOf(ports, record)).toHaveLength(1 + changes.length);
  });

  test('an update with a precondition is only stored on one of the given versions', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const { version } = record;
    expect(await update(ports, record, { name: 'First' }, [version, version + 7])).toMatchObject({
      name: 'First',
    });
    const late = update(ports, record, { name: 'Second' }, [version]);
    await expect(late).rejects.toMatchObject({ code: 'stale_version' });
    const never = update(ports, record, { name: 'Third' }, []);
    await expect(never).rejects.toMatchObject({ code: 'stale_version' });
    expect((await ports.records.find(record)).value).toMatchObject({ name: 'First', version: version + 1 });
  });

  test('an update that loses every race is rejected with the time to retry', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    let name = 0;
    const faster = async () => {
      const { value } = await ports.records.find(record);
      await update(ports, value ?? record, { name: `Name ${name++}` });
    };
    let attempts = 0;
    const deadline = { remainingMs: () => 5 - attempts++ };
    const records = competing(ports.records, faster, Infinity);
    const command = { record, precondition: null, change: { enabled: true }, author: AUTHOR, deadline };
    const updating = updateRecord(dependenciesOf({ ...ports, records }), command);
    await expect(updating).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 1 });
    expect((await ports.records.find(record)).value).toMatchObject({ enabled: false });
  });

  test('another plugin need not be registered, unless the operator requires it', async (ports) => {
    const record = await aRecord(ports, await aFamily(ports));
    const strict = { ...ports, requireRegistered: true };
    const order = { record, precondition: null, author: AUTHOR };
    const updating = updateRecord(strict, { ...order, change: { plugin: 8 } });
    await expect(updating).rejects.toMatchObject({ code: 'does_not_exist', attr: 'plugin' });
    expect(await updateRecord(strict, { ...order, change: { name: 'Same plugin' } })).toMatchObject({
      plugin: 7,
    });
    expect(await update(ports, record, { plugin: 8 })).toMatchObject({ plugin: 8 });
  });

  test('a change to another plugin masks the secrets of that plugin', async (ports) => {
    await registerPlugin(ports, SECRET, anAuthor());
    const record = await configured(ports);
    await expectMasked(ports, await update(ports, record, { plugin: 8 }));
  });

  test('a change to another plugin masks its secrets even if the plugin is registered concurrently', async (ports) => {
    const record = await configured(ports);
    const records = competing(ports.records, () => registerPlugin(ports, SECRET, anAuthor()));
    await expectMasked(ports, await update({ ...ports, records }, record, { plugin: 8 }));
  });
});

function update(
  ports: Pick<Ports, 'records' | 'plugins' | 'configurationValues'>,
  record: ConfigRecord,
  change: RecordChange,
  precondition: Precondition = null,
): Promise<ConfigRecord> {
  return updateRecord(dependenciesOf(ports), { record, precondition, change, author: AUTHOR });
}

function remove(ports: Ports, record: ConfigRecord): Promise<ConfigRecord> {
  return deleteRecord(dependenciesOf(ports), { record, precondition: null, author: AUTHOR });
}

function dependenciesOf({
  records,
  plugins,
  configurationValues,
}: Pick<Ports, 'records' | 'plugins' | 'configurationValues'>) {
  return { records, plugins, configurationValues, requireRegistered: false };
}

/** Creates a record whose token is not masked, since no schema marks it as secret yet. */
async function configured(ports: Ports): Promise<ConfigRecord> {
  const before = await aRecord(ports, await aFamily(ports));
  const write = aRecordWrite(before, { config: '{"token":"clear","host":"a"}' });
  return (await ports.records.save(write)) ?? before;
}

async function expectMasked(ports: Ports, updated: ConfigRecord): Promise<void> {
  const config = '{"token":"********","host":"a"}';
  expect(updated).toMatchObject({ plugin: 8, pluginInfo: pluginInfo(SECRET), config });
  const stored = await ports.configurationValues.of(updated);
  expect(stored).toMatchObject({ record: updated, values: '{"token":"clear","host":"a"}' });
}
