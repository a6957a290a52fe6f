import type { Liveness } from './use-family.ts';

const TEXTS = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost. Reconnecting…',
  rejected: 'Not live',
} as const;

/** Shows whether the page follows changes. */
export function LivenessNote({ liveness }: { readonly liveness: Liveness }) {
  return (
    <span role="status" className={`liveness ${liveness}`}>
      {TEXTS[liveness]}
    </span>
  );
}
