import {
  recordNotFound,
  type Author,
  type ConfigRecord,
  type FamilyRef,
  type KeyGrant,
  type Family,
} from '@plugin-config/domain';
import type { FastifyRequest } from 'fastify';

/** What is known of a request that was let in. */
export interface Access {
  readonly key: KeyGrant;
  /** When it was let in. */
  readonly at: Date;
  /** 0 where it addresses no project. */
  readonly projectId: number;
  /** The revision of the family that it addresses. */
  readonly revision: number;
  /** The record that it addresses, where the route asks for it and there is one. */
  readonly record: ConfigRecord | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the route. */
    access: Access;
  }
}

export function addressedRecord({ access: { record } }: FastifyRequest): ConfigRecord {
  if (record === null) throw recordNotFound();
  return record;
}

export function addressedFamily({ access: { projectId } }: FastifyRequest, family: Family): FamilyRef {
  return { projectId, family };
}

export function authorOf({ access: { key, at }, id }: FastifyRequest): Author {
  return { actor: { keyId: key.id, label: key.label }, requestId: id, at };
}
