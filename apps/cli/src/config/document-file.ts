import type { Document } from '@plugin-config/client';
import { checkDeclaration, DomainError, parseExactly } from '@plugin-config/domain';
import type { Node, ParsedNode } from 'yaml';
import { withField, type Locate } from '../explain-error.ts';
import { inputName, readInput } from '../input-file.ts';

/** A parsed YAML or JSON text. */
export interface ParsedText {
  readonly value: unknown;
  /** Returns the file, line and column of a path, or of the closest enclosing value. */
  readonly positionOf: (path: readonly string[]) => string;
}

/** A document read from a file. */
export interface DocumentFile {
  readonly document: Document;
  /** Prefixes a message about a part of the document with its file, line and column. */
  readonly locate: Locate;
}

/** Reads a YAML or JSON file, or standard input if the name is `-`. */
export async function parseInput(file: string, env: NodeJS.ProcessEnv): Promise<ParsedText> {
  return parseYaml(await readInput(file, env), inputName(file));
}

/** The path of a record, such as `plugin_configs[3].config.token`. The name of an entry may contain dots. */
const RECORD_ATTR =
  /^(plugin_configs|pipeline_transformation_configs)\b(?:\[(\d+)\])?(?:\.(\w+))?(?:\.(.*))?$/;

/** Runs all checks of a document that work offline. */
export async function checkDocument({ value, positionOf }: ParsedText): Promise<DocumentFile> {
  const { planBody, validate } = await import('@plugin-config/contract');
  const located = (attr: string, detail: string): string =>
    `${positionOf(RECORD_ATTR.exec(attr)?.slice(1) ?? [attr])}: ${attr}: ${detail}`;
  const locate: Locate = (attr, detail) =>
    attr !== null && RECORD_ATTR.test(attr) ? located(attr, detail) : withField(attr, detail);
  const { value: body, error } = validate(planBody, { document: value });
  if (error !== undefined) throw new Error(located(error.attr ?? 'document', error.detail), { cause: error });
  try {
    checkDeclaration(body.document);
  } catch (cause) {
    throw cause instanceof DomainError ? new Error(locate(cause.attr, cause.message), { cause }) : cause;
  }
  return { document: body.document, locate };
}

/**
 * Parses YAML, which includes JSON. Rejects everything that JSON cannot express: repeated keys, aliases, tags, inexact numbers.
 * @throws an error whose message begins with the position
 */
export async function parseYaml(text: string, file: string): Promise<ParsedText> {
  const { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } = await import('yaml');
  const lines = new LineCounter();
  const positionAt = (offset = 0): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const parsed = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const [problem] = [...parsed.errors, ...parsed.warnings];
  if (problem !== undefined) throw new Error(`${positionAt(problem.pos[0])}: ${problem.message}.`);
  visit(parsed, {
    Node: (_, node) => {
      const reason = isAlias(node) ? NO_ALIAS : rejectionReason(node, isScalar(node) ? node.value : null);
      if (reason !== null) throw new Error(`${positionAt(node.range?.[0])}: ${reason}`);
    },
  });
  const positionOf = (path: readonly string[]): string => {
    let node: ParsedNode | null = parsed.contents;
    let offset = node?.range[0];
    for (const step of path) {
      if (isMap<ParsedNode, ParsedNode | null>(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
        if (pair === undefined) break;
        [offset] = pair.key.range;
        node = pair.value;
      } else {
        const item: ParsedNode | undefined = isSeq<ParsedNode>(node) ? node.items[Number(step)] : undefined;
        if (item === undefined) break;
        [offset] = item.range;
        node = item;
      }
    }
    return positionAt(offset);
  };
  return { value: parsed.toJS(), positionOf };
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
