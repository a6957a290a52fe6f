import { hash } from 'node:crypto';
import type { ItemKind } from '@plugin-config/contract';
import { accessOf, ENCODINGS, type Encoding } from '@plugin-config/server';
import type { ConfigRecord, FamilyRef, Precondition } from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';
import { onTimeline } from './timeline.ts';

/** Names a resource in an entity tag. */
export type TagName = string;

export const recordTagName = (request: FastifyRequest, { id }: Pick<ConfigRecord, 'id'>): TagName =>
  onTimeline(accessOf(request).timeline, String(id));

export const familyTagName = (request: FastifyRequest, { projectId, family }: FamilyRef): TagName =>
  onTimeline(accessOf(request).timeline, `${family}.${projectId}`);

export const itemTagName = (request: FastifyRequest, kind: ItemKind, id: number): TagName =>
  onTimeline(accessOf(request).timeline, `${kind}.${id}`);

/** Creates an entity tag. It contains a hash of the body, because reports change the body but not the version. */
export function entityTag(name: TagName, version: number, body: Buffer): string {
  return `"${name}.${version}-${hash('sha1', body, 'base64url')}"`;
}

/** Creates the tag of an encoded response: strong tags differ by encoding. `If-Match` accepts either. */
export function encodedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`;
}

/**
 * Returns the tag in an `If-None-Match` header that is still current: that of this response, of the plain response or of another
 * encoding. Returns null if none is.
 */
export function currentTag(header: string, etag: string, plain = etag): string | null {
  if (matchesTag(header, etag)) return etag;
  if (matchesTag(header, plain)) return plain;
  return ENCODINGS.map((name) => encodedTag(plain, name)).find((tag) => matchesTag(header, tag)) ?? null;
}

/** Compares tags weakly, as `If-None-Match` requires. */
export function matchesTag(header: string, etag: string): boolean {
  // The quotes are part of the tag, so one tag cannot match inside another.
  return header.includes(etag) || header.trim() === '*';
}

/** Returns the versions an `If-Match` header accepts. Weak tags and tags of other records or timelines match none. */
export function preconditionOf(header: string | undefined, name: TagName): Precondition {
  if (header === undefined || header.trim() === '*') return null;
  const tags = new RegExp(String.raw`(W/)?"${RegExp.escape(name)}\.(\d{1,15})-[\w-]+"`, 'g');
  return [...header.matchAll(tags)].flatMap(([, weak, version]) =>
    weak === undefined ? Number(version) : [],
  );
}
