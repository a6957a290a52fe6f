const LISTENING = /"url":"([^"]+)","msg":"listening"/;

/** Finds the URL that an app listens on in its log; undefined if it does not listen yet. */
export function urlIn(log: string): string | undefined {
  return LISTENING.exec(log)?.[1];
}
