import { hash } from 'node:crypto';
import type { Precondition } from '@plugin-config/domain';

const TAGS = /(W\/)?("[^"]*")/g;
const OURS = /^"(\d{1,15})-[\w-]+"$/;

/** The version that the bytes were taken at, and the bytes themselves: reports change them and no version. */
export function entityTag(version: number, body: Buffer): string {
  return `"${version}-${hash('sha1', body, 'base64url')}"`;
}

/** The comparison of `If-None-Match`, to which a weak tag is as good as a strong one. */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.matchAll(TAGS).some(([, , tag]) => tag === etag);
}

/** The versions that an `If-Match` will act upon: a weak tag and one of another form match none. */
export function preconditionOf(header: string | undefined): Precondition {
  if (header === undefined || header.trim() === '*') return null;
  return [...header.matchAll(TAGS)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? versionsOf(tag) : [],
  );
}

function versionsOf(tag: string): readonly number[] {
  const version = OURS.exec(tag)?.[1];
  return version === undefined ? [] : [Number(version)];
}
