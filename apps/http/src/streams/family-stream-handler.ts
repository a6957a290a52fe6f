import type { streamEndpoints } from '@plugin-config/contract';
import { familyCursorText, familyStream, type FamilyFeeds, type FamilyStep } from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { EventOfStream, StreamHandler } from '../endpoints/handler.ts';
import { partsOf, resetEvent, type StreamPart } from './stream-event.ts';

type Endpoint = (typeof streamEndpoints)['streamRecords'];
type FamilyEvent = EventOfStream<Endpoint>;

export function familyStreamHandler({ feeds }: { readonly feeds: FamilyFeeds }): StreamHandler<Endpoint> {
  const parts = partsOf(eventsOf);
  return {
    open: ({ request, family }, lastEventId) => {
      const { timelineId, registryVersion, familyVersion } = accessOf(request);
      const at = { ...family, timelineId, registryVersion, familyVersion };
      return (signal) => parts(familyStream({ feeds }, { family: at, cursor: lastEventId }, signal));
    },
  };
}

/** A step without changes only moves the cursor. */
function eventsOf({ reset, changes, cursor }: FamilyStep): StreamPart<FamilyEvent> {
  if (reset !== undefined) return [resetEvent(cursor, reset)];
  if (changes.length === 0) return [{ id: cursor }];
  return changes.map(({ cursor: after, record }): FamilyEvent => {
    const id = familyCursorText(after);
    if (record === null) return { id, event: 'order', data: {} };
    return {
      id,
      event: 'record',
      data: { id: record.id, version: record.version, deleted: record.deleted },
    };
  });
}
