import type { Primary } from './primary.ts';

/** Returns a function to call before each use of these caches. It clears them if the server may have lost cached commits. */
export function forgetLostCommits(
  primary: Pick<Primary, 'connectionEpoch'>,
  ...caches: readonly { clear(): void }[]
): () => void {
  let { connectionEpoch } = primary;
  return () => {
    if (connectionEpoch === primary.connectionEpoch) return;
    ({ connectionEpoch } = primary);
    for (const cache of caches) cache.clear();
  };
}
