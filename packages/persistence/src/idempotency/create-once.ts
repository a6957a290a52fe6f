import {
  FAMILIES,
  notFound,
  projectNotFound,
  requireSameBody,
  type Actor,
  type IdempotencyKey,
  type Once,
} from '@plugin-config/domain';
import type pg from 'pg';
import { keepResponse, keptResponse } from '../record/kept-responses.ts';
import { lockFamilies } from '../writing/lock-families.ts';

interface Creation<T> {
  readonly projectId: number;
  readonly actor: Actor;
  /** Null if the request has no idempotency key. */
  readonly key: IdempotencyKey | null;
  readonly create: () => Promise<{ readonly id: number; readonly value: T }>;
  /** Returns what an earlier request created, in its current state; null if it has been deleted since. */
  readonly find: (id: number) => Promise<T | null>;
}

/**
 * Creates something that belongs to a project but to no family, or finds what the first request with the same key created. Only its
 * id is kept. Creations of one project run in sequence, so `create` can count what exists.
 * @throws DomainError `project_not_found` if the project has been deleted
 */
export async function createOnce<T>(
  client: pg.ClientBase,
  { projectId, actor, key, create, find }: Creation<T>,
): Promise<Once<T>> {
  const families = FAMILIES.map((family) => ({ projectId, family }));
  if (!(await lockFamilies(client, families))) throw projectNotFound();
  const kept = key === null ? null : await keptResponse<{ readonly id: number }>(client, key);
  if (key !== null && kept !== null) {
    const value = await find(requireSameBody(key, kept).value.id);
    if (value === null) throw notFound();
    return { ...kept, value };
  }
  const { id, value } = await create();
  if (key !== null) await keepResponse(client, { projectId, family: null, key, actor, response: { id } });
  return { value, digest: key?.digest ?? '', origin: key?.origin ?? '', isFirst: true };
}
