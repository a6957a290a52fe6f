// Alone: a thread that reads YAML would load the whole domain for it, which takes longer than to start the thread.
import { parseExactly } from '@plugin-config/domain/exact-json';
import type { Node, ParsedNode } from 'yaml';
import { MisreadText, type Place } from './misread-text.ts';

/** What a YAML or JSON text says, and where it says it. */
export interface ParsedText {
  readonly value: unknown;
  /** The place of what `attr` names, such as `plugin_configs[3].config.token`, or of the closest value around it. */
  placeOf(attr: string): Place;
}

/**
 * Parses YAML, of which JSON is a part. Refuses what JSON cannot say: repeated keys, aliases, tags, other numbers.
 * @throws MisreadText
 */
export async function parseStrictly(text: string): Promise<ParsedText> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  // The parser compares each key with all others of its map; here, a set does.
  const parsed = parseDocument(text, {
    lineCounter: lines,
    stringKeys: true,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) throw new MisreadText(reasonOf(problem), placeAt(problem.pos[0]));
  const refuse = (node: unknown, complaint: string | null): void => {
    const [offset = 0] = (node as Node | null)?.range ?? [];
    if (complaint !== null) throw new MisreadText(complaint, placeAt(offset));
  };
  const value = orTooDeep(() => {
    visit(parsed, {
      Node: (_, node) => {
        refuse(node, isAlias(node) ? NO_ALIAS : complaintOf(node, isScalar(node) ? node.value : null));
        const keys = new Set<string>();
        for (const { key } of isMap(node) ? node.items : []) {
          const name = isScalar(key) ? String(key.value) : '';
          refuse(key, keys.has(name) ? 'Map keys must be unique.' : null);
          keys.add(name);
        }
      },
    });
    return parsed.toJS() as unknown;
  });

  /** The offset of the deepest value on the way to `attr`, which is relative to the node. */
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
  return { value, placeOf: (attr) => placeAt(offsetOf(contents, attr, contents?.range[0] ?? 0)) };
}

const NO_ALIAS = 'Aliases and anchors are not allowed: write the value out.';
const TOO_DEEP = 'It is nested too deeply.';

/** The parser reports an overflow of the stack as an error of the text. */
function reasonOf({ message }: Error): string {
  return message.startsWith('Maximum call stack') ? TOO_DEEP : `${message}.`;
}

function orTooDeep(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new MisreadText(TOO_DEEP, { line: 1, column: 1 });
    throw error;
  }
}

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
