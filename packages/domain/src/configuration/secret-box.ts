import { DomainError } from '../kernel/domain-error.ts';

export interface SecretBox {
  /** The keys that it has, by their ids. The first one encrypts, all decrypt. */
  readonly keyIds: readonly string[];
  /**
   * Encrypts with the first key. The sealed text begins with the id of the key and a dot.
   * @throws DomainError `invalid_input`, attr `config`, where there is no key to seal with
   */
  seal(plain: string): string;
  /**
   * Decrypts with the key that the text was sealed with.
   * @throws DomainError `key_missing`
   */
  open(sealed: string): string;
}

const RETRY_AFTER_SECONDS = 60;

/** The id of the key that a text was sealed with. */
export function keyIdOf(sealed: string): string {
  const end = sealed.indexOf('.');
  return end === -1 ? sealed : sealed.slice(0, end);
}

/** Whether it is sealed with the first key. */
export function isCurrent(sealed: string, { keyIds }: SecretBox): boolean {
  return keyIdOf(sealed) === keyIds[0];
}

/** The same secrets, all sealed with the first key. */
export function reseal(secrets: ReadonlyMap<string, string>, box: SecretBox): ReadonlyMap<string, string> {
  const resealed = (sealed: string): string => (isCurrent(sealed, box) ? sealed : box.seal(box.open(sealed)));
  return new Map([...secrets].map(([key, sealed]) => [key, resealed(sealed)]));
}

/** The operator's fault and not the caller's: the same request succeeds when the key is there. */
export function keyMissing(keyId: string): DomainError {
  return new DomainError(
    'key_missing',
    `The key "${keyId}", which secrets are encrypted with, is missing. The operator adds it to SECRETS_KEYS.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
