import { hash } from 'node:crypto';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';

/** The name of a record or a family in an entity tag. */
export type TagName = string;

const TAGS = /(W\/)?("[^"]*")/g;
const OURS = /^"(.*)\.(\d{1,15})-[\w-]+"$/;

export const recordTagName = ({ id }: Pick<ConfigRecord, 'id'>): TagName => String(id);
export const familyTagName = ({ projectId, family }: FamilyRef): TagName => `${family}.${projectId}`;

/** Makes a tag of name, version and a hash of the bytes: reports change the bytes but not the version. */
export function entityTag(of: TagName, version: number, body: Buffer): string {
  return `"${of}.${version}-${hash('sha1', body, 'base64url')}"`;
}

/** Compares for `If-None-Match`: weak and strong tags are equal. */
export function matchesTag(header: string, etag: string): boolean {
  if (header === etag || header.trim() === '*') return true;
  return header.matchAll(TAGS).some(([, , tag]) => tag === etag);
}

/** The versions that an `If-Match` header accepts. Weak tags, foreign tags and tags of other records match none. */
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
