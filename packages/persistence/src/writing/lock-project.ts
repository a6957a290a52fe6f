import type pg from 'pg';
import { run, type Statement } from '../postgres/statement.ts';

const LOCK_PROJECT: Statement = {
  name: 'lock_project',
  text: 'select from project where id = $1 for no key update',
};

/**
 * Makes the deletion of the project, and other transactions that lock it, wait until this one ends, so that it can count and compare
 * what the project has. Returns false if the project is deleted.
 */
export async function lockProject(client: pg.ClientBase, projectId: number): Promise<boolean> {
  return (await run(client, LOCK_PROJECT, [projectId])).length > 0;
}
