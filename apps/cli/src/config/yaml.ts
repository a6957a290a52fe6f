import { parseExactly } from '@plugin-config/domain';
import type { Node, ParsedNode } from 'yaml';

/** A parsed YAML or JSON text, with positions. */
export interface ParsedText {
  readonly value: unknown;
  /** The file, line and column of an `attr` such as `plugin_configs[3].config.token`, or of the closest enclosing value. */
  readonly positionOf: (attr: string) => string;
}

/**
 * Parses YAML, which includes JSON. Rejects everything that JSON cannot express: repeated keys, aliases, tags, inexact numbers.
 * @throws an error whose message begins with the position
 */
export async function parseYaml(text: string, file: string): Promise<ParsedText> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const positionAt = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const fail = (offset: number, reason: string): never => {
    throw new Error(`${positionAt(offset)}: ${reason}`);
  };
  const parsed = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) fail(problem.pos[0], `${problem.message}.`);
  visit(parsed, {
    Node: (_, node) => {
      const reason = isAlias(node) ? NO_ALIAS : rejectionReason(node, isScalar(node) ? node.value : null);
      if (reason !== null) fail(node.range?.[0] ?? 0, reason);
    },
  });

  /** Returns the offset of the deepest value on the path `attr`, relative to the node. */
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
    positionOf: (attr) => positionAt(offsetOf(contents, attr, contents?.range[0] ?? 0)),
  };
}

/** Formats a value as YAML that YAML 1.1 parsers read the same way. */
export async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
}

const NO_ALIAS = 'Aliases and anchors are not allowed: write the value out.';

function rejectionReason(
  { anchor, tag, ...node }: Node & { source?: string },
  value: unknown,
): string | null {
  if (anchor !== undefined) return NO_ALIAS;
  if (tag !== undefined) return 'Tags are not allowed.';
  if (typeof value !== 'number' || isExact(node.source ?? '', value)) return null;
  return `The number ${node.source} cannot be stored exactly: write it in JSON notation, or as a string.`;
}

function isExact(source: string, value: number): boolean {
  try {
    return Object.is((parseExactly(`[${source}]`) as readonly unknown[])[0], value);
  } catch {
    return false;
  }
}

function startsWithStep(attr: string, key: string): boolean {
  return attr.startsWith(key) && ['', '.', '['].includes(attr.charAt(key.length));
}
