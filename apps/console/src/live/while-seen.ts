/** So long, a page that nobody sees keeps its streams. */
const UNSEEN_MS = 60_000;

/**
 * Begins something while the page is seen, and ends it once the page has been hidden for a while: without HTTP/2, a browser
 * opens six connections to a server, and the streams of hidden pages would take them all. Returns the function that ends it.
 */
export function whileSeen(begin: () => () => void): () => void {
  let end: (() => void) | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(waiting);
    end?.();
    end = null;
  };
  const look = (): void => {
    clearTimeout(waiting);
    if (document.visibilityState === 'visible') end ??= begin();
    else waiting = setTimeout(stop, UNSEEN_MS);
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    stop();
  };
}
