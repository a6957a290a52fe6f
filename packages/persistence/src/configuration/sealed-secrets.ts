import type { SealedSecrets } from '@plugin-config/domain';

/** Secrets are stored as a JSON object of sealed values by key. */
export function readSecrets(stored: unknown): SealedSecrets {
  return new Map(Object.entries(stored as Readonly<Record<string, string>>));
}

export function writeSecrets(secrets: SealedSecrets): string {
  return JSON.stringify(Object.fromEntries(secrets));
}
