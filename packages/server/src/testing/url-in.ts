const LISTENING = /"url":"([^"]+)","msg":"listening"/;

/** Returns the URL that an app listens on, as found in its log; undefined if it is not listening yet. */
export function urlIn(log: string): string | undefined {
  return LISTENING.exec(log)?.[1];
}
