import type { Document } from '@plugin-config/client';
import { checkDeclaration, DomainError } from '@plugin-config/domain';
import { inputName, readInput } from '../input-file.ts';
import { InvalidYaml, parseYaml, type Place } from './yaml.ts';

/** A document in a file. */
export interface DocumentFile {
  readonly document: Document;
  /** Puts a message about a part of the document behind its file, line and column. */
  readonly locate: Locate;
}

export type Locate = (attr: string | null, detail: string) => string;

/** Matches the part of a document; anything else is a field of the request. */
const OF_A_RECORD = /^(?:plugin_configs|pipeline_transformation_configs)\b/;

/** What a file says, and where it says it. */
interface FileText {
  readonly value: unknown;
  /** The file, line and column of a part. */
  readonly placeOf: (attr: string) => string;
}

/** Reads a YAML or JSON file, or standard input if the name is `-`. */
export async function parseInput(file: string, env: NodeJS.ProcessEnv): Promise<FileText> {
  return parseText(await readInput(file, env), inputName(file));
}

export async function parseText(text: string, name: string): Promise<FileText> {
  const shown = ({ line, column }: Place): string => `${name}:${line}:${column}`;
  try {
    const { value, placeOf } = await parseYaml(text);
    return { value, placeOf: (attr) => shown(placeOf(attr)) };
  } catch (cause) {
    if (!(cause instanceof InvalidYaml)) throw cause;
    throw new Error(`${shown(cause.place)}: ${cause.message}`, { cause });
  }
}

/** Checks all of a document that can be checked without the service. */
export async function checkDocument({ value, placeOf }: FileText): Promise<DocumentFile> {
  const { planBody, validate } = await import('@plugin-config/contract');
  const { value: body, error } = validate(planBody, { document: value });
  if (error !== undefined) {
    const attr = error.attr ?? 'document';
    throw new Error(`${placeOf(attr)}: ${attr}: ${error.detail}`, { cause: error });
  }
  const locate: Locate = (attr, detail) => {
    if (attr === null) return detail;
    return OF_A_RECORD.test(attr) ? `${placeOf(attr)}: ${attr}: ${detail}` : `${attr}: ${detail}`;
  };
  const { document } = body;
  try {
    checkDeclaration({
      manager: document.manager,
      plugin_configs: document.plugin_configs?.map(declared),
      pipeline_transformation_configs: document.pipeline_transformation_configs?.map(declared),
    });
  } catch (cause) {
    throw cause instanceof DomainError ? new Error(locate(cause.attr, cause.message), { cause }) : cause;
  }
  return { document, locate };
}

type Declared = NonNullable<Document['plugin_configs']>[number];

function declared({ moved_from: movedFrom, ...record }: Declared) {
  return { ...record, movedFrom };
}
