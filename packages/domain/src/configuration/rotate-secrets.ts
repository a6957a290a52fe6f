import { DomainError } from '../kernel/domain-error.ts';
import { reseal, type SecretBox } from './secret-box.ts';
import type { KeySet, SecretStore } from './secret-store.ts';

interface Dependencies {
  readonly secrets: SecretStore;
  readonly secretBox: SecretBox;
}

/** The number of records and plugins that use a key. A record may use several keys. */
export interface SecretKeyUse {
  readonly keyId: string;
  readonly records: number;
  readonly plugins: number;
}

/** The ids of keys that stored secrets need and the box lacks. As cheap as `SecretStore.keySets`. */
export async function missingSecretKeys({ secrets, secretBox }: Dependencies): Promise<readonly string[]> {
  return (await neededSecretKeys({ secrets })).filter((id) => !secretBox.keyIds.includes(id));
}

/** The sorted ids of the keys that stored secrets need. As cheap as `SecretStore.keySets`. */
export async function neededSecretKeys({
  secrets,
}: Pick<Dependencies, 'secrets'>): Promise<readonly string[]> {
  return [...new Set((await secrets.keySets()).flat())].toSorted();
}

/** The keys in use, sorted by id. */
export async function secretKeyUses({
  secrets,
}: Pick<Dependencies, 'secrets'>): Promise<readonly SecretKeyUse[]> {
  const uses = new Map<string, SecretKeyUse>();
  for (const keys of await secrets.keySets()) {
    const { records, plugins } = await secrets.count(keys);
    for (const keyId of keys) {
      const use = uses.get(keyId) ?? { keyId, records: 0, plugins: 0 };
      uses.set(keyId, { keyId, records: use.records + records, plugins: use.plugins + plugins });
    }
  }
  return [...uses.values()].toSorted((a, b) => (a.keyId < b.keyId ? -1 : 1));
}

/**
 * Reseals all secrets with the first key, in portions, and looks again until no write can have brought others. Secrets
 * whose key is missing stay as they are. After an interruption, the next call continues: resealed secrets are not sealed
 * again.
 * @throws DomainError `busy` if writes do not end in time
 */
export async function rotateSecrets(
  { secrets, secretBox }: Dependencies,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<void> {
  const [first] = secretBox.keyIds;
  if (first === undefined)
    throw new DomainError('invalid_input', 'There is no key to encrypt with: set SECRETS_KEYS.');
  const isDue = (keys: KeySet): boolean =>
    keys.some((id) => id !== first) && keys.every((id) => secretBox.keyIds.includes(id));
  const work = (stored: ReadonlyMap<string, string>) => reseal(stored, secretBox);
  let [done, of] = [0, 0];
  for (let resealed = -1; resealed !== 0;) {
    resealed = 0;
    await secrets.untilWritesEnd();
    const due = (await secrets.keySets()).filter(isDue);
    of = done + (await total(secrets, due));
    for (const keys of due) {
      resealed += await secrets.resealSeeds(keys, work);
      for (let after = 0; ;) {
        const portion = await secrets.resealNext(keys, after, work);
        if (portion === null) break;
        after = portion.last;
        resealed += portion.resealed;
        onProgress(done + resealed, of);
      }
    }
    done += resealed;
  }
}

async function total(secrets: SecretStore, sets: readonly KeySet[]): Promise<number> {
  let sum = 0;
  for (const keys of sets) {
    const { records, plugins } = await secrets.count(keys);
    sum += records + plugins;
  }
  return sum;
}
