import { registerAndSeal } from '../builders/register-and-seal.ts';
import {
  keyIdOf,
  secretKeyUses,
  missingSecretKeys,
  rotateSecrets,
  type ConfigRecord,
} from '@plugin-config/domain';
import { expect } from 'vitest';
import { aFamily } from '../builders/a-family.ts';
import { aPlugin } from '../builders/a-plugin.ts';
import { aRecord } from '../builders/a-record.ts';
import { aRecordWrite } from '../builders/a-record-write.ts';
import { memorySecretBox } from '../builders/memory-secret-box.ts';
import type { Ports } from '../ports.ts';
import type { TestWith } from '../test-with.ts';
import { historyOf, countersOf } from './read-state.ts';

const [OLD, OLDER, BOTH] = [memorySecretBox(['k1']), memorySecretBox(['k0']), memorySecretBox(['k2', 'k1'])];

export function secretStoreContract(test: TestWith<Ports>): void {
  test('the keys in use are those of records and seeds, each with the number of uses', async (ports) => {
    expect([await ports.secrets.keySets(), await secretKeyUses(ports)]).toEqual([[], []]);
    await sealedRecords(ports);
    await seededPlugin(ports);
    const sets = (await ports.secrets.keySets()).map((keys) => keys.join(' '));
    expect(new Set(sets)).toEqual(new Set(['k0', 'k0 k1', 'k1']));
    expect(await secretKeyUses(ports)).toEqual([
      { keyId: 'k0', records: 2, plugins: 0 },
      { keyId: 'k1', records: 4, plugins: 1 },
    ]);
    expect(await missingSecretKeys({ ...ports, secretBox: BOTH })).toEqual(['k0']);
    expect(await missingSecretKeys({ ...ports, secretBox: memorySecretBox(['k1', 'k0']) })).toEqual([]);
  });

  test('a rotation seals everything with the first key and changes nothing visible', async (ports) => {
    const records = await sealedRecords(ports);
    await seededPlugin(ports);
    const box = memorySecretBox(['k2', 'k1', 'k0']);
    const seen = async () =>
      Promise.all(
        records.map(async (record) => [await countersOf(ports, record), await historyOf(ports, record)]),
      );
    const before = await seen();
    const progress: number[] = [];
    await rotateSecrets({ ...ports, secretBox: box }, (done, of) => void progress.push(done, of));
    expect(progress.slice(-2)).toEqual([6, 6]);
    expect(await secretKeyUses(ports)).toEqual([{ keyId: 'k2', records: 5, plugins: 1 }]);
    expect(await seen()).toEqual(before);
    for (const { id, projectId, family } of records) {
      const stored = await ports.records.configuration({ id, projectId, family });
      for (const [key, sealed] of stored?.secrets ?? [])
        expect([keyIdOf(sealed), box.open(sealed)]).toEqual(['k2', `"${key}"`]);
    }
    const seeded = await aRecord(ports, await aFamily(ports), { plugin: 9 });
    const { secrets } = (await ports.records.configuration(seeded)) ?? {};
    expect(box.open(secrets?.get('token') ?? '')).toBe('"seed"');
  });

  test('a rotation skips secrets of a missing key and rotates the rest', async (ports) => {
    await sealedRecords(ports);
    await rotateSecrets({ ...ports, secretBox: BOTH });
    expect(await secretKeyUses(ports)).toEqual([
      { keyId: 'k0', records: 2, plugins: 0 },
      { keyId: 'k1', records: 1, plugins: 0 },
      { keyId: 'k2', records: 3, plugins: 0 },
    ]);
  });

  test('a change that was decided before its secrets were resealed is decided again', async (ports) => {
    const [record] = await sealedRecords(ports);
    await rotateSecrets({ ...ports, secretBox: BOTH });
    expect(await ports.records.save(aRecordWrite(record, { name: 'Late' }))).toBeNull();
  });

  test('nothing is rotated without a key', async (ports) => {
    const secretBox = { ...BOTH, keyIds: [] };
    await expect(rotateSecrets({ ...ports, secretBox })).rejects.toThrow('set SECRETS_KEYS');
  });
}

/** Creates six records: three sealed with k1, one with k0, one with both, and one without a secret. */
async function sealedRecords(ports: Ports): Promise<readonly [ConfigRecord, ...ConfigRecord[]]> {
  const family = await aFamily(ports);
  const other = await aFamily(ports);
  const of = async (where: typeof family, secrets: ReadonlyMap<string, string>): Promise<ConfigRecord> => {
    const record = await aRecord(ports, where);
    return (await ports.records.save(aRecordWrite(record, {}, { secrets }))) ?? record;
  };
  await aRecord(ports, family);
  return [
    await of(family, new Map([['a', OLD.seal('"a"')]])),
    await of(other, new Map([['a', OLD.seal('"a"')]])),
    await of(family, new Map([['b', OLDER.seal('"b"')]])),
    await of(family, new Map([['a', OLD.seal('"a"')]])),
    await of(
      family,
      new Map([
        ['a', OLD.seal('"a"')],
        ['b', OLDER.seal('"b"')],
      ]),
    ),
  ];
}

async function seededPlugin({ plugins }: Ports): Promise<void> {
  const configSchema = [{ key: 'token', type: 'string', secret: true, default: 'seed' }] as const;
  await registerAndSeal({ plugins, secretBox: OLD }, aPlugin({ id: 9, configSchema }));
}
