import type { SealedSecrets } from '@plugin-config/domain';

/** As they are stored: a JSON object of sealed values by their key. */
export function readSecrets(json: string): SealedSecrets {
  return new Map(Object.entries<string>(JSON.parse(json)));
}

export function writeSecrets(secrets: SealedSecrets): string {
  return JSON.stringify(Object.fromEntries(secrets));
}
