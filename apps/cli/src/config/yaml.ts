import { parseExactly } from '@plugin-config/domain';
import type { Node, ParsedNode } from 'yaml';

/** A line and a column of a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Says why a text is no document, and where. */
export class InvalidYaml extends Error {
  override readonly name = 'InvalidYaml';
  readonly place: Place;

  constructor(reason: string, place: Place) {
    super(reason);
    this.place = place;
  }
}

/** What a YAML or JSON text says, and where it says it. */
interface ParsedText {
  readonly value: unknown;
  /** The place of what `attr` names, such as `plugin_configs[3].config.token`, or of the closest value around it. */
  placeOf(attr: string): Place;
}

/**
 * Parses YAML, which includes JSON. Rejects whatever JSON cannot express: repeated keys, aliases, tags, inexact numbers.
 * @throws InvalidYaml
 */
export async function parseYaml(text: string): Promise<ParsedText> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const parsed = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) throw new InvalidYaml(`${problem.message}.`, placeAt(problem.pos[0]));
  visit(parsed, {
    Node: (_, node) => {
      const complaint = isAlias(node) ? NO_ALIAS : complaintOf(node, isScalar(node) ? node.value : null);
      if (complaint !== null) throw new InvalidYaml(complaint, placeAt(node.range?.[0] ?? 0));
    },
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
  return {
    value: parsed.toJS(),
    placeOf: (attr) => placeAt(offsetOf(contents, attr, contents?.range[0] ?? 0)),
  };
}

/** Formats a value as YAML that parsers of YAML 1.1 read the same way. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
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
