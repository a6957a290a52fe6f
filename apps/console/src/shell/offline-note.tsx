import { useSyncExternalStore } from 'react';

/** Says that the browser has no network, for as long as it has none. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(onChange, () => navigator.onLine);
  return (
    <div role="status">
      {!isOnline && (
        <p className="offline">
          You are offline: what is shown may be old, and nothing can be saved. The page goes on by itself when
          you are back.
        </p>
      )}
    </div>
  );
}

function onChange(listener: () => void): () => void {
  const leaving = new AbortController();
  for (const event of ['online', 'offline']) {
    window.addEventListener(event, listener, { signal: leaving.signal });
  }
  return () => leaving.abort();
}
