import { decrypt, encrypt } from '../crypto/aes-gcm.ts';

/** The text form of a `bytea`. */
export type Ciphertext = string;

export type EncryptedColumn =
  | 'config_record.config'
  | 'config_revision.config'
  | 'activity.config_changes'
  | 'job.work'
  | 'job.output'
  | 'webhook.target'
  | 'plugin.secret_defaults';

/** The location of a ciphertext, which cannot be decrypted anywhere else. */
export interface Place {
  /** `SERVICE` for data without a project. */
  readonly projectId: number;
  readonly column: EncryptedColumn;
  /** The id of the record, the plugin or the webhook; 0 for a check, which has none. */
  readonly row: number;
}

export interface DataKey {
  /** Identifies the key in each ciphertext. */
  readonly id: number;
  readonly key: Buffer;
}

const FORMAT = 1;
/** The format and the id of the data key. */
const HEADER_BYTES = 5;
/** The size of the header, the nonce and the tag of a ciphertext. */
export const OVERHEAD_BYTES = HEADER_BYTES + 12 + 16;

export function encryptText({ id, key }: DataKey, place: Place, plain: string): Ciphertext {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT);
  header.writeUInt32BE(id, 1);
  return hexOf(Buffer.concat([header, encrypt(key, contextOf(place), plain)]));
}

/** Throws if the text was not encrypted with this key for this place. */
export function decryptText({ id, key }: DataKey, place: Place, ciphertext: Ciphertext): string {
  const bytes = bytesOf(ciphertext);
  if (bytes.readUInt8() !== FORMAT || bytes.readUInt32BE(1) !== id) {
    throw new Error(`The ciphertext in ${contextOf(place)} was not encrypted with the data key ${id}.`);
  }
  return decrypt(key, contextOf(place), bytes.subarray(HEADER_BYTES)).toString('utf8');
}

/** Returns the header, nonce and tag, which are unique for each ciphertext. A copy, so the rest is not kept in memory. */
export function identityOf(ciphertext: Ciphertext): string {
  return Buffer.from(ciphertext.slice(0, 2 + 2 * OVERHEAD_BYTES), 'latin1').toString('latin1');
}

export function hexOf(bytes: Buffer): Ciphertext {
  return `\\x${bytes.toString('hex')}`;
}

export function bytesOf(ciphertext: Ciphertext): Buffer {
  return Buffer.from(ciphertext.slice(2), 'hex');
}

function contextOf({ projectId, column, row }: Place): string {
  return `${column} ${row} of project ${projectId}`;
}
