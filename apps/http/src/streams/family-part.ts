import type { streamEndpoints } from '@plugin-config/contract';
import { familyCursorText, type FamilyStep } from '@plugin-config/domain';
import type { EventOfStream } from '../endpoints/handler.ts';
import type { StreamPart } from './stream-event.ts';

type FamilyEvent = EventOfStream<(typeof streamEndpoints)['streamRecords']>;
export type FamilyPart = StreamPart<FamilyEvent>;

/** The events of these steps. */
export function familyPart(steps: readonly FamilyStep[]): FamilyPart {
  return steps.map(({ cursor, record }): FamilyEvent => {
    const id = familyCursorText(cursor);
    if (record === null) return { id, event: 'order', data: {} };
    return {
      id,
      event: 'record',
      data: { id: record.id, version: record.version, deleted: record.deleted },
    };
  });
}
