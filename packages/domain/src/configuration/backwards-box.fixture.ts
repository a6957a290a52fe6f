import { keyIdOf, keyMissing, type SecretBox } from './secret-box.ts';

/** Seals by writing backwards, and counts, so that sealing twice never gives the same. */
export function backwardsBox(keyIds: readonly [string, ...string[]] = ['k1']): SecretBox {
  let sealed = 0;
  return {
    keyIds,
    seal: (plain) => `${keyIds[0]}.${++sealed}:${backwards(plain)}`,
    open: (text) => {
      if (!keyIds.includes(keyIdOf(text))) throw keyMissing(keyIdOf(text));
      return backwards(text.slice(text.indexOf(':') + 1));
    },
  };
}

function backwards(text: string): string {
  return text.split('').toReversed().join('');
}
