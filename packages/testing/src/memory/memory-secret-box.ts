import type { SecretBox } from '@plugin-config/domain';

const SEAL = 'sealed:';

/** Nothing that anybody could not open, but nothing in the clear: the text stands backwards in it. */
export function memorySecretBox(): SecretBox {
  return {
    seal: (plain) => SEAL + backwards(encodeURIComponent(plain)),
    open: (sealed) => decodeURIComponent(backwards(sealed.slice(SEAL.length))),
  };
}

function backwards(text: string): string {
  return text.split('').toReversed().join('');
}
