import { DomainError } from '../kernel/domain-error.ts';

export interface SecretBox {
  /** The ids of the keys. The first key encrypts, all keys decrypt. */
  readonly keyIds: readonly string[];
  /**
   * Encrypts with the first key. The sealed text begins with the id of the key and a dot.
   * @throws DomainError `invalid_input`, attr `config`, if there is no key
   */
  seal(plain: string): string;
  /**
   * Decrypts with the key that sealed the text.
   * @throws DomainError `key_missing`
   */
  open(sealed: string): string;
  /** The same text for the same plain text and first key. Tells nothing of the plain text to whoever lacks the key. */
  fingerprint(plain: string): string;
}

const RETRY_AFTER_SECONDS = 60;

/** The id of the key that sealed a text. */
export function keyIdOf(sealed: string): string {
  const end = sealed.indexOf('.');
  return end === -1 ? sealed : sealed.slice(0, end);
}

/** Whether the first key sealed the text. */
export function isCurrent(sealed: string, { keyIds }: SecretBox): boolean {
  return keyIdOf(sealed) === keyIds[0];
}

/** The same secrets, all sealed with the first key. */
export function reseal(secrets: ReadonlyMap<string, string>, box: SecretBox): ReadonlyMap<string, string> {
  const resealed = (sealed: string): string => (isCurrent(sealed, box) ? sealed : box.seal(box.open(sealed)));
  return new Map([...secrets].map(([key, sealed]) => [key, resealed(sealed)]));
}

/** An error of the operator, not of the client: the same request succeeds once the key is configured. */
export function keyMissing(keyId: string): DomainError {
  return new DomainError(
    'key_missing',
    `The key "${keyId}", which secrets are encrypted with, is missing. The operator adds it to SECRETS_KEYS.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
