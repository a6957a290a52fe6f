/** The project that the page shows, as in its address. */
export type ShownProject = number | `ext:${string}`;

interface EmbedAddress {
  /** The path of the page, before those of its screens. */
  readonly base: string;
  /** Null if the address has none. */
  readonly project: ShownProject | null;
}

/** Parses the path of the page, which may be below that of the service: `…/embed/<project>/…`. */
export function addressOf(path: string): EmbedAddress {
  const [base = '', encoded = ''] = /^.*\/embed\/(?<project>[^/]+)/.exec(path) ?? [];
  const text = decodeURIComponent(encoded);
  if (/^[1-9]\d{0,14}$/.test(text)) return { base, project: Number(text) };
  return { base, project: text.startsWith('ext:') ? (text as ShownProject) : null };
}
