import { hash } from 'node:crypto';
import { ENCODINGS, type Encoding } from '@plugin-config/server';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';

/** The name of a record or a family in an entity tag. The timeline of the store is a part: versions may come again in another one. */
export type TagName = string;

const TAGS = /(W\/)?("[^"]*")/g;
const OURS = /^"(.*)\.(\d{1,15})-[\w-]+"$/;

export const recordTagName = ({ id }: Pick<ConfigRecord, 'id'>, timelineId: string): TagName =>
  `${timelineId}.${id}`;
export const familyTagName = ({ projectId, family }: FamilyRef, timelineId: string): TagName =>
  `${timelineId}.${family}.${projectId}`;

/** Makes a tag of name, version and a hash of the bytes: reports change the bytes but not the version. */
export function entityTag(of: TagName, version: number, body: Buffer): string {
  return `"${of}.${version}-${hash('sha1', body, 'base64url')}"`;
}

/** Makes the tag of the same response in an encoding: strong tags differ where the bytes do. `If-Match` takes either. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/**
 * The tag of an `If-None-Match` header that is still current: that of this response, or else that of the plain response or of
 * another encoding of it. Null if there is none.
 */
export function knownTag(header: string, etag: string, plain = etag): string | null {
  if (matchesTag(header, etag)) return etag;
  if (matchesTag(header, plain)) return plain;
  return ENCODINGS.map((name) => encodedTag(plain, name)).find((tag) => matchesTag(header, tag)) ?? null;
}

/** Compares for `If-None-Match`: weak and strong tags are equal. */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.matchAll(TAGS).some(([, , tag]) => tag === etag);
}

/** The versions that an `If-Match` header accepts. Weak tags, foreign tags, and tags of other records or timelines match none. */
export function preconditionOf(header: string | undefined, of: TagName): Precondition {
  if (header === undefined || header.trim() === '*') return null;
  return [...header.matchAll(TAGS)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? versionsOf(tag, of) : [],
  );
}

function versionsOf(tag: string, of: TagName): readonly number[] {
  const [, name, version] = OURS.exec(tag) ?? [];
  return name === of ? [Number(version)] : [];
}
