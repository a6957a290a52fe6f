/** The encodings of answers, the better one first. */
export const ENCODINGS = ['br', 'gzip'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The most headers whose result is remembered. Callers send few different ones. */
const KEPT_MAX = 100;
const CODING = /^\s*(?<name>[\w*-]+)\s*(?:;\s*q\s*=\s*(?<weight>[01](?:\.\d{0,3})?)\s*)?$/i;

const kept = new Map<string, Encoding | null>();

/** The encoding that an `Accept-Encoding` header prefers, the better one of two equal ones; null for none. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  if (typeof header !== 'string') return null;
  const known = kept.get(header);
  if (known !== undefined) return known;
  const preferred = preferredOf(header);
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(header, preferred);
  return preferred;
}

function preferredOf(header: string): Encoding | null {
  const weights = weightsIn(header.replace(/\bx-gzip\b/gi, 'gzip'), CODING);
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const plain = weights.get('identity') ?? 0;
  const [best] = ENCODINGS.filter((name) => weightOf(name) > 0 && weightOf(name) >= plain).toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
  return best ?? null;
}

/**
 * The weight of each element of a header such as `Accept`, which `form` matches with the groups `name` and `weight`. Names are in
 * lower case; elements of another form are left out.
 */
function weightsIn(header: string, form: RegExp): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const { name, weight = '1' } = form.exec(element)?.groups ?? {};
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}
