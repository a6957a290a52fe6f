/** The encodings of responses, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Callers send few different headers, so a small cache is enough. */
const CACHED_MAX = 100;
/** Much longer than any useful header, and short enough to be parsed quickly. */
const HEADER_MAX = 1000;
const CODING = /^\s*(?<name>[\w*-]+)\s*(?:;\s*q\s*=\s*(?<weight>[01](?:\.\d{0,3})?)\s*)?$/i;

const cache = new Map<string, Encoding | null>();

/** Returns the encoding that an `Accept-Encoding` header prefers; null for none. Ignores a very long header. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  if (typeof header !== 'string' || header.length > HEADER_MAX) return null;
  const cached = cache.get(header);
  if (cached !== undefined) return cached;
  const preferred = preferredOf(header);
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(header, preferred);
  return preferred;
}

function preferredOf(header: string): Encoding | null {
  const weights = weightsIn(header.replace(/\bx-gzip\b/gi, 'gzip'));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = ENCODINGS.filter((name) => weightOf(name) > 0 && weightOf(name) >= plain).toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
  return best ?? null;
}

/** Returns the weights by lower-case name. Skips malformed elements. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const { name, weight = '1' } = CODING.exec(element)?.groups ?? {};
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}
