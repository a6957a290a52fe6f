import { keyIdOf, keyMissing, type SecretBox } from '@plugin-config/domain';

/** Reverses the text instead of encrypting it, so that no sealed text equals the clear one. */
export function memorySecretBox(keyIds: readonly [string, ...string[]] = ['k1']): SecretBox {
  return {
    keyIds,
    seal: (plain) => `${keyIds[0]}.${backwards(encodeURIComponent(plain))}`,
    open: (sealed) => {
      const id = keyIdOf(sealed);
      if (!keyIds.includes(id)) throw keyMissing(id);
      return decodeURIComponent(backwards(sealed.slice(id.length + 1)));
    },
    fingerprint: (plain) => backwards(keyIds[0] + plain).replaceAll('.', ' '),
  };
}

function backwards(text: string): string {
  return text.split('').toReversed().join('');
}
