import type { SecretBox } from './secret-box.ts';

/** Seals by writing backwards, and counts, so that sealing twice never gives the same. */
export function backwardsBox(): SecretBox {
  let sealed = 0;
  return {
    seal: (plain) => `${++sealed}:${backwards(plain)}`,
    open: (text) => backwards(text.slice(text.indexOf(':') + 1)),
  };
}

function backwards(text: string): string {
  return text.split('').toReversed().join('');
}
