import type { Document } from '@plugin-config/client';
import { planBody, projectPut, validate, type Validation } from '@plugin-config/contract';
import {
  checkDeclaration,
  DomainError,
  externalIdOf,
  IMPORT_MANAGER,
  parseExactly,
  projectName,
} from '@plugin-config/domain';

/** A line of an import. */
export interface Tenant {
  readonly externalId: string;
  /** Undefined to keep the name of an existing project. */
  readonly name: string | undefined;
  readonly document: Document;
}

export type TenantFields = Readonly<Record<string, unknown>>;

/** @throws an error that shows nothing of the line */
export function readFields(bytes: Uint8Array): TenantFields {
  const line = parse(bytes);
  if (typeof line !== 'object' || line === null || Array.isArray(line))
    throw new Error('The line is not a JSON object.');
  return line as TenantFields;
}

/**
 * Runs all checks that work offline.
 * @throws an error that shows nothing of the configurations, which may hold secrets
 */
export function readTenant({ external_id: externalId = '', name, ...records }: TenantFields): Tenant {
  const project = valid(validate(projectPut, { external_id: externalId, name }));
  const { document } = valid(
    validate(planBody, { document: { ...records, format: 1, manager: IMPORT_MANAGER } }),
  );
  checkDeclaration(document);
  return {
    externalId: externalIdOf(project.external_id ?? ''),
    name: project.name && projectName(project.name),
    document,
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { uniqueKeys: true });
  } catch {
    // Without the cause: its message contains a part of the line.
    throw new Error('The line is not JSON in UTF-8, or one of its objects has the same key twice.');
  }
}

function valid<T>({ value, error }: Validation<T>): T {
  if (error === undefined) return value;
  throw new DomainError(error.code, error.detail, { ...(error.attr !== null && { attr: error.attr }) });
}
