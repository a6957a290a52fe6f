import type { JobLine, RecordRef } from '@plugin-config/domain';
import type { MemoryState } from './memory-state.ts';

/** Only plugin configs have a log. */
export function writeLine({ lines }: MemoryState, { family, id }: RecordRef, line: JobLine): void {
  if (family === 'plugin_configs') lines.set(lines.size + 1, { recordId: id, line });
}

/** Oldest first. */
export function linesOf({ lines }: MemoryState, { id }: Pick<RecordRef, 'id'>): readonly JobLine[] {
  return [...lines.values()].filter(({ recordId }) => recordId === id).map(({ line }) => line);
}
