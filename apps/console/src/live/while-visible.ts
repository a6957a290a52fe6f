/** How long a hidden page keeps its streams open. */
const HIDDEN_MS = 60_000;

/**
 * Keeps something running while the page is visible, and ends it once the page has been hidden for a while. Without
 * HTTP/2, browsers open at most six connections to a server, and streams of hidden pages could take them all.
 * Returns a function that stops it.
 */
export function whileVisible(begin: () => () => void): () => void {
  let end: (() => void) | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(waiting);
    end?.();
    end = null;
  };
  const onVisibilityChange = (): void => {
    clearTimeout(waiting);
    if (document.visibilityState === 'visible') end ??= begin();
    else waiting = setTimeout(stop, HIDDEN_MS);
  };
  onVisibilityChange();
  document.addEventListener('visibilitychange', onVisibilityChange);
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange);
    stop();
  };
}
