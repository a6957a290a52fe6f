import { SERVICE } from '@plugin-config/domain';
import type pg from 'pg';
import { ADVISORY_LOCK } from '../postgres/advisory-locks.ts';
import { prepared, run } from '../postgres/statement.ts';

const LOCK_PROJECT = prepared('lock_project')`select from project where id = $1 for no key update`;

const LOCK_SERVICE = prepared('lock_service')`select pg_advisory_xact_lock(${ADVISORY_LOCK.service})`;

/**
 * Makes the deletion of the project, and other transactions that lock it, wait until this one ends. It can then count and compare
 * the items of the project. Returns false if the project is deleted.
 */
export async function lockProject(client: pg.ClientBase, projectId: number): Promise<boolean> {
  if (projectId !== SERVICE) return (await run(client, LOCK_PROJECT, [projectId])).length > 0;
  await run(client, LOCK_SERVICE, []);
  return true;
}
