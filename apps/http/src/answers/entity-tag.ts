import { hash } from 'node:crypto';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';

/** What has versions, as tags name it. */
export type Versioned = string;

const TAGS = /(W\/)?("[^"]*")/g;
const OURS = /^"(.*)\.(\d{1,15})-[\w-]+"$/;

export const recordName = ({ id }: Pick<ConfigRecord, 'id'>): Versioned => String(id);
export const familyName = ({ projectId, family }: FamilyRef): Versioned => `${family}.${projectId}`;

/** Whose version the bytes were taken at, and the bytes themselves: reports change them and no version. */
export function entityTag(of: Versioned, version: number, body: Buffer): string {
  return `"${of}.${version}-${hash('sha1', body, 'base64url')}"`;
}

/** The comparison of `If-None-Match`, to which a weak tag is as good as a strong one. */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.matchAll(TAGS).some(([, , tag]) => tag === etag);
}

/** The versions that an `If-Match` will act upon: a weak tag, another's, and one of another form match none. */
export function preconditionOf(header: string | undefined, of: Versioned): Precondition {
  if (header === undefined || header.trim() === '*') return null;
  return [...header.matchAll(TAGS)].flatMap(([, weak, tag = '']) =>
    weak === undefined ? versionsOf(tag, of) : [],
  );
}

function versionsOf(tag: string, of: Versioned): readonly number[] {
  const [, name, version] = OURS.exec(tag) ?? [];
  return name === of ? [Number(version)] : [];
}
