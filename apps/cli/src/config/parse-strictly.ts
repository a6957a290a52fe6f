import { parseExactly } from '@plugin-config/domain';
import type { Node, ParsedNode } from 'yaml';

/** What a YAML or JSON text says, and where it says it. */
export interface ParsedText {
  readonly value: unknown;
  /** The line and column of a part, such as `plugin_configs[3].config.token`, or of the closest part around it. */
  placeOf(attr: string): string;
}

/**
 * Parses YAML, of which JSON is a part. Refuses what JSON cannot say: repeated keys, aliases, tags, other numbers.
 * @throws Error with name, line and column
 */
export async function parseStrictly(text: string, name: string): Promise<ParsedText> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const parsed = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) throw new Error(`${place(problem.pos[0])}: ${problem.message}.`);
  visit(parsed, {
    Node: (_, node) => {
      const complaint = isAlias(node) ? NO_ALIAS : complaintOf(node, isScalar(node) ? node.value : null);
      if (complaint !== null) throw new Error(`${place(node.range?.[0] ?? 0)}: ${complaint}`);
    },
  });

  /** The offset of the deepest part on the way to `attr`, which is relative to the node. */
  const offsetOf = (node: ParsedNode | null, attr: string, outer: number): number => {
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const pairs = node.items.filter(({ key }) => isScalar(key) && startsWithStep(attr, String(key.value)));
      const [pair] = pairs.toSorted((a, b) => String(b.key).length - String(a.key).length);
      if (pair === undefined) return outer;
      const length = isScalar(pair.key) ? String(pair.key.value).length : 0;
      return offsetOf(pair.value, attr.slice(length).replace(/^\./, ''), pair.key.range[0]);
    }
    const index = /^\[(\d+)\]\.?/.exec(attr);
    const item = isSeq<ParsedNode>(node) ? node.items[Number(index?.[1])] : undefined;
    if (index === null || item === undefined) return outer;
    return offsetOf(item, attr.slice(index[0].length), item.range[0]);
  };
  const { contents } = parsed;
  return {
    value: parsed.toJS(),
    placeOf: (attr) => place(offsetOf(contents, attr, contents?.range[0] ?? 0)),
  };
}

const NO_ALIAS = 'Aliases and anchors are not allowed: write the value out.';

function complaintOf({ anchor, tag, ...node }: Node & { source?: string }, value: unknown): string | null {
  if (anchor !== undefined) return NO_ALIAS;
  if (tag !== undefined) return 'Tags are not allowed.';
  if (typeof value !== 'number' || isKept(node.source ?? '', value)) return null;
  return `The number ${node.source} cannot be kept exactly: write it as JSON does, or as a text.`;
}

function isKept(source: string, value: number): boolean {
  try {
    return Object.is((parseExactly(`[${source}]`) as readonly unknown[])[0], value);
  } catch {
    return false;
  }
}

function startsWithStep(attr: string, key: string): boolean {
  return attr.startsWith(key) && ['', '.', '['].includes(attr.charAt(key.length));
}
