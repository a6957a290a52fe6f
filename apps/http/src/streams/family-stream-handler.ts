import type { streamEndpoints } from '@plugin-config/contract';
import {
  ALL_RECORDS,
  familyCursorText,
  isAfter,
  parseFamilyCursor,
  type FamilyCursor,
} from '@plugin-config/domain';
import { accessOf } from '@plugin-config/server';
import type { StreamHandler } from '../endpoints/handler.ts';
import type { FamilyPart } from './family-part.ts';
import type { FollowedFamilies } from './followed-families.ts';
import { resetEvent } from './stream-event.ts';

/** Streams the changes of a family. The first part tells the cursor, also if nothing happens for long. */
export function familyStreamHandler({
  followed,
}: {
  readonly followed: FollowedFamilies;
}): StreamHandler<(typeof streamEndpoints)['streamRecords']> {
  return {
    follow: ({ request, family }, lastEventId) => {
      const { revision } = accessOf(request);
      const { first, cursor: start } = startAt(revision, lastEventId);
      return async function* parts(signal) {
        yield first;
        const follower = followed.follow(family, revision);
        try {
          let cursor = start;
          for (;;) {
            const news = await follower.after(cursor, signal);
            if (news === null) return;
            if (news.part.length > 0) yield news.part;
            cursor = news.cursor;
          }
        } finally {
          follower.leave();
        }
      };
    },
  };
}

function startAt(
  revision: number,
  lastEventId: string | null,
): { readonly first: FamilyPart; readonly cursor: FamilyCursor } {
  const now = { revision, id: ALL_RECORDS };
  const id = familyCursorText(now);
  if (lastEventId === null) return { first: [{ id }], cursor: now };
  const given = parseFamilyCursor(lastEventId);
  if (given === null) return { first: [resetEvent(id, 'malformed_cursor')], cursor: now };
  if (isAfter(given, now)) return { first: [resetEvent(id, 'unknown_cursor')], cursor: now };
  return { first: [{ id: familyCursorText(given) }], cursor: given };
}
