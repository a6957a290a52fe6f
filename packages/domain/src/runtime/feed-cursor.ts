import { boundSnapshot, parseSnapshot, SNAPSHOT_FORM, snapshotText, type Snapshot } from './snapshot.ts';

/**
 * The position of a reader in the feed of all projects. It has seen everything in a snapshot, and registrations up to a version.
 */
export interface FeedPosition {
  readonly snapshot: Snapshot;
  readonly registryVersion: number;
  /** Identifies the last crash recovery of the server, after which lost transaction numbers may be used again. */
  readonly recovery: number;
}

/** A part of the projects: their ids, divided by `of`, leave `index`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

const SHARDS_MAX = 1024;

export interface FeedCursor {
  /** Identifies the key and the filters. */
  readonly reader: string;
  readonly shard: Shard | null;
  /** Null until the first synchronisation is complete. */
  readonly since: FeedPosition | null;
  /** Set between pages, which are sorted by project id. */
  readonly paging: Paging | null;
}

interface Paging {
  /** The position of the reader after the last page, at which the first page was read. */
  readonly next: FeedPosition;
  /** The last project of the previous page. */
  readonly after: number;
}

const NONE = '0';
const POSITION = String.raw`\d{1,16}-\d{1,16}-${SNAPSHOT_FORM}`;
const SHARD = String.raw`${NONE}|\d{1,4}-\d{1,4}`;
const FORM = new RegExp(
  String.raw`^([\w-]{1,40})\.(${SHARD})\.(${NONE}|${POSITION})(?:\.(${POSITION})\.(\d{1,16}))?$`,
);

export function feedCursorText({ reader, shard, since, paging }: FeedCursor): string {
  const parts = [
    reader,
    shard === null ? NONE : `${shard.index}-${shard.of}`,
    since === null ? NONE : positionText(since),
  ];
  if (paging !== null) parts.push(positionText(paging.next), String(paging.after));
  return parts.join('.');
}

export function parseFeedCursor(text: string): FeedCursor | null {
  const [, reader = '', shardText = NONE, sinceText = NONE, nextText, afterText] = FORM.exec(text) ?? [];
  const shard = shardText === NONE ? null : parseShard(shardText, '-');
  const since = sinceText === NONE ? null : parsePosition(sinceText);
  const next = nextText === undefined ? null : parsePosition(nextText);
  const after = Number(afterText ?? 0);
  const isValid =
    reader !== '' &&
    (shard === null) === (shardText === NONE) &&
    (since === null) === (sinceText === NONE) &&
    (next === null) === (nextText === undefined) &&
    (since !== null || next !== null) &&
    Number.isSafeInteger(after);
  return isValid ? { reader, shard, since, paging: next && { next, after } } : null;
}

export function parseShard(text: string, separator: '-' | '/'): Shard | null {
  const [index = '', of = '', ...others] = text.split(separator);
  const isNumber = [index, of].every((number) => /^\d{1,4}$/.test(number)) && others.length === 0;
  const shard = { index: Number(index), of: Number(of) };
  return isNumber && shard.of >= 1 && shard.of <= SHARDS_MAX && shard.index < shard.of ? shard : null;
}

/** Returns whether a position is no longer valid: the database has lost commits or transactions since. */
export function isVoid(position: FeedPosition, at: FeedPosition): boolean {
  return (
    position.recovery !== at.recovery ||
    position.snapshot.max > at.snapshot.max ||
    position.registryVersion > at.registryVersion
  );
}

/** Returns the cursor after a page. `last` is its last project; null if there are no more. */
export function cursorAfterPage(cursor: FeedCursor, at: FeedPosition, last: number | null): FeedCursor {
  const next = cursor.paging?.next ?? at;
  return last === null
    ? { ...cursor, since: next, paging: null }
    : { ...cursor, paging: { next, after: last } };
}

function positionText({ registryVersion, recovery, snapshot }: FeedPosition): string {
  return `${registryVersion}-${recovery}-${snapshotText(boundSnapshot(snapshot))}`;
}

function parsePosition(text: string): FeedPosition | null {
  const [registered, recovered, ...numbers] = text.split('-');
  const [registryVersion, recovery] = [Number(registered), Number(recovered)];
  const snapshot = parseSnapshot(numbers.join('-'));
  const isValid = Number.isSafeInteger(registryVersion) && Number.isSafeInteger(recovery);
  return snapshot !== null && isValid ? { snapshot, registryVersion, recovery } : null;
}
