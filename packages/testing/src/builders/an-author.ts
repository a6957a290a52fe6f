import { OPERATOR, type Author } from '@plugin-config/domain';

/** The default time of all tests. */
export const MOMENT = new Date('2026-01-02T03:04:05.678Z');

export function anAuthor(given: Partial<Author> = {}): Author {
  return { actor: OPERATOR, requestId: null, at: MOMENT, ...given };
}

export function secondsLater(seconds: number, since: Date = MOMENT): Date {
  return new Date(since.getTime() + seconds * 1000);
}
