import { keyIdOf, keyMissing, type SecretBox } from './secret-box.ts';

/** A box that seals by reversing the text and adding a counter, so that sealing twice gives different texts. */
export function backwardsBox(keyIds: readonly [string, ...string[]] = ['k1']): SecretBox {
  let sealed = 0;
  return {
    keyIds,
    seal: (plain) => `${keyIds[0]}.${++sealed}:${backwards(plain)}`,
    open: (text) => {
      if (!keyIds.includes(keyIdOf(text))) throw keyMissing(keyIdOf(text));
      return backwards(text.slice(text.indexOf(':') + 1));
    },
    fingerprint: (plain) => `${keyIds[0]}:${backwards(plain)}`,
  };
}

function backwards(text: string): string {
  return text.split('').toReversed().join('');
}
