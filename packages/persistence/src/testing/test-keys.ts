import { readSecretsKeys, type SecretsKeys } from '../crypto/secrets-keys.ts';

/** The master key of tests in the format of `SECRETS_KEYS`. */
export const TEST_SECRETS_KEYS = `test:${Buffer.alloc(32, 7).toString('base64')}`;

export const TEST_KEYS: SecretsKeys = readSecretsKeys(TEST_SECRETS_KEYS) ?? new Map();
