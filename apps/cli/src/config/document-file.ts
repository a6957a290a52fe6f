import type { Document } from '@plugin-config/client';
import { checkDeclaration, DomainError } from '@plugin-config/domain';
import { inputName, readInput } from '../input-file.ts';
import { parseYaml, type ParsedText } from './yaml.ts';

/** A document read from a file. */
export interface DocumentFile {
  readonly document: Document;
  /** Prefixes a message about a part of the document with its file, line and column. */
  readonly locate: Locate;
}

export type Locate = (attr: string | null, detail: string) => string;

/** Matches the `attr` of a record. Any other `attr` is a field of the request. */
const RECORD_ATTR = /^(?:plugin_configs|pipeline_transformation_configs)\b/;

/** Reads a YAML or JSON file, or standard input if the name is `-`. */
export async function parseInput(file: string, env: NodeJS.ProcessEnv): Promise<ParsedText> {
  return parseYaml(await readInput(file, env), inputName(file));
}

/** Makes all checks of a document that work offline. */
export async function checkDocument({ value, positionOf }: ParsedText): Promise<DocumentFile> {
  const { planBody, validate } = await import('@plugin-config/contract');
  const { value: body, error } = validate(planBody, { document: value });
  if (error !== undefined) {
    const attr = error.attr ?? 'document';
    throw new Error(`${positionOf(attr)}: ${attr}: ${error.detail}`, { cause: error });
  }
  const locate: Locate = (attr, detail) => {
    if (attr === null) return detail;
    return RECORD_ATTR.test(attr) ? `${positionOf(attr)}: ${attr}: ${detail}` : `${attr}: ${detail}`;
  };
  const { document } = body;
  try {
    checkDeclaration(document);
  } catch (cause) {
    throw cause instanceof DomainError ? new Error(locate(cause.attr, cause.message), { cause }) : cause;
  }
  return { document, locate };
}
