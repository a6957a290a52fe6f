import { randomBytes } from 'node:crypto';
import { OLD_SECRET_MS, SERVICE, type WebhookTarget } from '@plugin-config/domain';
import type pg from 'pg';
import { decryptText, encryptText, type Ciphertext } from '../configuration/ciphertext.ts';
import { placeOf, type Configurations } from '../configuration/configurations.ts';
import { serviceKey } from '../configuration/data-keys.ts';
import type { EncryptedStore } from '../configuration/encrypted-database.ts';

/** What is encrypted in `webhook.target`. URLs often contain credentials. */
export interface StoredTarget {
  readonly url: string;
  readonly secret: string;
  /** The secrets before the last rotations, newest first, and when they expire. */
  readonly old: readonly { readonly secret: string; readonly until: string }[];
}

interface WebhookRef {
  readonly id: number;
  readonly projectId: number;
}

export interface TargetCipher {
  encrypt(webhook: WebhookRef, target: StoredTarget): Ciphertext;
  decrypt(stored: WebhookRef & { readonly target: Ciphertext }): StoredTarget;
}

/** Loads the data key of a project, which must exist. */
export async function targetCipher(
  connection: pg.Pool | pg.ClientBase,
  configurations: Configurations,
  projectId: number,
): Promise<TargetCipher> {
  const encrypt = await configurations.encrypter(connection, [projectId]);
  const decrypt = await configurations.decryptTargets(connection, [projectId]);
  return {
    encrypt: (webhook, target) => encrypt(placeOf(webhook, 'webhook.target'), JSON.stringify(target)),
    decrypt: (stored) => parseTarget(decrypt(stored, stored.target)),
  };
}

/** As `targetCipher`, before the project may have a data key. */
export async function newTargetCipher(
  client: pg.ClientBase,
  { configurations, masterKeys }: Pick<EncryptedStore, 'configurations' | 'masterKeys'>,
  projectId: number,
): Promise<TargetCipher> {
  if (projectId !== SERVICE) return targetCipher(client, configurations, projectId);
  const key = await serviceKey(client, masterKeys);
  const placeIn = (webhook: WebhookRef) => placeOf(webhook, 'webhook.target');
  return {
    encrypt: (webhook, target) => encryptText(key, placeIn(webhook), JSON.stringify(target)),
    decrypt: (stored) => parseTarget(decryptText(key, placeIn(stored), stored.target)),
  };
}

export function parseTarget(text: string): StoredTarget {
  return JSON.parse(text) as StoredTarget;
}

const SECRET_BYTES = 32;

/** Generates a secret in the form of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The maximum number of old secrets. If a response is lost, the caller rotates again before the receiver has a new secret. */
const OLD_SECRETS_MAX = 4;

export function rotated({ url, secret, old }: StoredTarget, at: Date): StoredTarget {
  const until = new Date(at.getTime() + OLD_SECRET_MS).toISOString();
  const valid = [{ secret, until }, ...old.filter((one) => at < new Date(one.until))];
  return { url, secret: newSecret(), old: valid.slice(0, OLD_SECRETS_MAX) };
}

/** Returns the URL, and the secrets that sign dispatches at this time. */
export function targetAt({ url, secret, old }: StoredTarget, at: Date): WebhookTarget {
  const valid = old.filter(({ until }) => at < new Date(until));
  return { url, secrets: [secret, ...valid.map((one) => one.secret)] };
}
