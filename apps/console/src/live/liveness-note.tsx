import type { Liveness } from './use-family.ts';

const TEXTS = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost. Trying again …',
  rejected: 'Not live',
} as const;

/** Says whether changes arrive by themselves. */
export function LivenessNote({ liveness }: { readonly liveness: Liveness }) {
  return (
    <span role="status" className={`liveness ${liveness}`}>
      {TEXTS[liveness]}
    </span>
  );
}
