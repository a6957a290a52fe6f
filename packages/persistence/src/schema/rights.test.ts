import { expect, inject, onTestFinished, test } from 'vitest';
import { dayTablesProblem } from '../log/days/day-tables.ts';
import { emptyDatabase, executeAt } from '../testing/empty-database.fixture.ts';
import { withDatabase } from '../testing/postgres-ports.fixture.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from '../configuration/encrypted-database.ts';
import { schemaProblem } from './schema-problem.ts';

/** Creates a role. Returns its name and the address to connect with. */
async function roleAt(url: string) {
  const role = `role_${crypto.randomUUID().replaceAll('-', '')}`;
  await executeAt(url, `create role ${role} login password 'x'`);
  onTestFinished(() => executeAt(inject('databaseAdminUrl'), `drop role ${role}`));
  return { role, address: Object.assign(new URL(url), { username: role, password: 'x' }).href };
}

async function openAt(url: string) {
  const database = openDatabase({ url, poolSize: 1 });
  onTestFinished(() => database.close());
  return database;
}

test('the error for a role that lacks a right says which right to grant', () =>
  withDatabase(async ({ pool }, url) => {
    const { role, address } = await roleAt(url);
    const own = await openAt(address);
    const lacks = (right: string, rights: string) =>
      `The role ${role} lacks the right to ${right}: have its owner run "grant ${rights} in schema public to ${role}".`;
    const tables = 'select, insert, update, delete on all tables';
    expect(await schemaProblem(own)).toBe(lacks('delete on the table activity', tables));
    await pool.query(`grant ${tables} in schema public to ${role}`);
    const sequence = 'usage on the sequence config_record_id_seq';
    expect(await schemaProblem(own)).toBe(lacks(sequence, 'usage on all sequences'));
    await pool.query(`grant usage on all sequences in schema public to ${role}`);
    expect(await schemaProblem(own)).toBeNull();
    await pool.query('revoke execute on function queue_job from public');
    const execute = 'execute on the function queue_job';
    expect(await schemaProblem(own)).toBe(lacks(execute, 'execute on all functions'));
  }));

test('the error for a role that cannot create and drop the tables of days says what to grant', () =>
  withDatabase(async ({ pool }, url) => {
    const { role, address } = await roleAt(url);
    const owner = await roleAt(url);
    await pool.query('revoke create on schema public from public');
    for (const table of ['log_entry', ...[0, 1, 2, 3, 4].map((n) => `delivery_report_${n}`)]) {
      await pool.query(`alter table ${table} owner to ${owner.role}`);
    }
    const own = await openAt(address);
    expect(await dayTablesProblem(own)).toBe(
      `The role ${role} does not own the table delivery_report_0, so it cannot create and drop the tables of days: use the role ${owner.role}, or run "grant ${owner.role} to ${role}".`,
    );
    await pool.query(`grant ${owner.role} to ${role}`);
    expect(await dayTablesProblem(own)).toBe(
      `The role ${role} lacks the right to create on the schema public: have its owner run "grant create on schema public to ${role}".`,
    );
    await pool.query(`grant create on schema public to ${role}`);
    expect(await dayTablesProblem(own)).toBeNull();
  }));

test('the error of a migration by a role that may not create tables says what to grant', async () => {
  const url = await emptyDatabase();
  const { role, address } = await roleAt(url);
  await executeAt(url, 'revoke create on schema public from public');
  await expect(migrate(address)).rejects.toThrow(
    `The role ${role} lacks the right to create on the schema public: have its owner run "grant create on schema public to ${role}".`,
  );
});
