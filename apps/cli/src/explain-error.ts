import type { EditedRecord, OwnedRecord, PluginConfigError } from '@plugin-config/client';
import { inform, table, type Fields } from './output.ts';
import { reason } from './reason.ts';

/** Describes an error, and which part of the request caused it. */
export type Locate = (attr: string | null, detail: string) => string;

/** Formats a record the way commands take it as an argument. */
export function recordPath({ family, id }: Pick<OwnedRecord, 'family' | 'id'>): string {
  return `${family}/${id}`;
}

export const EDITED: Fields<EditedRecord> = {
  record: recordPath,
  key: ({ key }) => key,
  fields: ({ fields }) => fields,
  by: ({ actor }) => actor?.label,
  at: ({ at }) => at,
};

const CONFLICT: Fields<OwnedRecord> = {
  record: recordPath,
  key: ({ key }) => key,
  manager: ({ manager }) => manager,
};

/** Describes a failed call. Prints the records and further errors that it is about. */
export function explainError(error: PluginConfigError, locate: Locate): string {
  const { code, message, attr, detail, errors, changed, conflicts } = error;
  if (code === 'unreachable') return `${message} ${causeOf(error)}`;
  if (code === 'timed_out' || code === 'unreadable') return message;
  if (changed.length > 0) inform(table(changed, EDITED));
  if (conflicts.length > 0) inform(table(conflicts, CONFLICT));
  for (const other of errors.slice(1)) inform(locate(other.attr, other.detail));
  return locate(attr, detail);
}

/** Says why a call failed. What made `fetch` fail is the cause of its own error, which says nothing useful. */
export function causeOf({ code, detail, cause }: PluginConfigError): string {
  if (code !== 'unreachable') return detail;
  return reason(cause instanceof Error && cause.cause !== undefined ? cause.cause : cause);
}

/** Names the field that caused an error. */
export function withField(attr: string | null, detail: string): string {
  return attr === null ? detail : `${attr}: ${detail}`;
}
