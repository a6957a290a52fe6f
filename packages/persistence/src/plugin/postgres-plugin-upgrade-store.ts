import {
  invalidInput,
  SERVICE,
  type Author,
  type Family,
  type PluginUpgrade,
  type PluginUpgradeStore,
  type RecordRef,
  type UpgradeOptions,
  type UpgradeTurn,
  type VersionState,
} from '@plugin-config/domain';
import type pg from 'pg';
import { insertAudit } from '../audit/insert-audit.ts';
import { PluginUpgradeRow } from '../entities/plugin.row.ts';
import { columns, numberAt } from '../postgres/columns.ts';
import type { Database } from '../postgres/database.ts';
import { inTransaction } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { rowOf, writtenOf } from '../postgres/table.ts';
import { actorColumns, withActor } from '../postgres/with-actor.ts';
import { NEW_TASK } from '../task/postgres-task-queue.ts';
import { lockTask, settleTask } from '../task/settle-task.ts';
import { changeRegistry, idIn } from './registry.ts';

const CHUNK_RECORDS = 100;

const ROW = rowOf(PluginUpgradeRow, 'u', ['taskId']);

/** The columns of an upgrade `u` to the version `v`. */
const UPGRADE = columns((row): PluginUpgrade => {
  const { total, done, upgraded, needsInput, unsupported, pinned, ...upgrade } = withActor(row.all(ROW));
  const progress = { total, done, upgraded, needsInput, unsupported, pinned };
  return { ...upgrade, progress, schemaVersion: row.number('v.schema_version') };
});

const VERSION = 'plugin_version v on v.plugin = u.plugin and v.version = u.version';

const LAST_UPGRADE = prepared('last_upgrade')`select ${UPGRADE.sql} from plugin_upgrade u join ${VERSION}
  where u.plugin = $1 and u.version = $2 order by u.started_at desc limit 1`;

const SAME_UPGRADE = prepared('same_upgrade')`select ${UPGRADE.sql} from plugin_upgrade u join ${VERSION}
  where u.plugin = $1 and u.version = $2 and u.overdue_schema = $3`;

const UPGRADE_OF_TASK = prepared(
  'upgrade_of_task',
)`select ${UPGRADE.sql} from plugin_upgrade u join ${VERSION}
  where u.plugin = $1 and u.task_id = $2 and u.state = 'running' and v.state <> 'withdrawn'
    and not exists (select from api_key k where k.id = u.actor_key_id and k.revoked_at is not null)`;

const TARGET = columns((row) => ({
  name: row.text('p.name'),
  state: row.text('v.state') as VersionState,
}));

const FIND_TARGET = prepared('target_of_upgrade')`select ${TARGET.sql}
  from plugin p join plugin_version v on v.plugin = p.id where p.id = $1 and v.version = $2 and p.name is not null`;

/**
 * The live records `r` of a plugin that are pinned to another version or have another schema version, or only those with an overdue schema version. Records of deleted
 * projects have no family.
 */
const NOT_AT_VERSION = `plugin_version v join config_record r on r.plugin = v.plugin
  join config_family f on f.project_id = r.project_id and f.family = r.family
  where v.plugin = $1 and v.version = $2 and not r.deleted
    and ($3 = 0 or r.schema_version = $3 and r.pinned_version is null)
    and case when r.pinned_version is null then r.schema_version <> v.schema_version else r.pinned_version <> v.version end`;

const COUNT = prepared('count_records_to_upgrade')`select count(*) from ${NOT_AT_VERSION}`;

const REF = columns((row): RecordRef => ({
  projectId: row.number('r.project_id'),
  family: row.text('r.family') as Family,
  id: row.number('r.id'),
}));

const NEXT_RECORDS = prepared('next_records_to_upgrade')`select ${REF.sql} from ${NOT_AT_VERSION}
    and (r.project_id, r.family, r.id) > ($4, $5, $6)
  order by r.project_id, r.family, r.id limit ${CHUNK_RECORDS}`;

const ADD_TASK = prepared('add_upgrade_task')`
  insert into task (${NEW_TASK.names}) values (${NEW_TASK.parameters(1)}) returning id`;

const WRITTEN = writtenOf(PluginUpgradeRow);

const STORE_UPGRADE = prepared('store_plugin_upgrade')`
  insert into plugin_upgrade (${WRITTEN.names}) values (${WRITTEN.parameters(1)})
  on conflict (plugin, version, overdue_schema) do update set ${WRITTEN.assignments(1)}`;

const CANCEL = prepared(
  'cancel_plugin_upgrade',
)`update plugin_upgrade u set state = 'cancelled', finished_at = $3
  where u.plugin = $1 and u.version = $2 and u.state = 'running' returning 1`;

const CANCEL_OF_TASK = prepared(
  'cancel_upgrade_of_task',
)`update plugin_upgrade u set state = 'cancelled', finished_at = $3
  where u.plugin = $1 and u.task_id = $2 and u.state = 'running'`;

/** An upgrade that was cancelled keeps its state, but gets the last counts. Once it has succeeded, it has done all there was. */
const ADD_PROGRESS = prepared('add_upgrade_progress')`update plugin_upgrade u set
    done = u.done + $3, upgraded = u.upgraded + $4, needs_input = u.needs_input + $5, unsupported = u.unsupported + $6,
    pinned = u.pinned + $7, total = case when $8 = 'succeeded' then u.done + $3 else greatest(u.total, u.done + $3) end,
    state = case when u.state = 'running' then $8 else u.state end,
    finished_at = case when u.state <> 'running' then u.finished_at when $8 <> 'running' then $9::timestamptz end
  from plugin_version v
  where u.plugin = $1 and u.task_id = $2 and v.plugin = u.plugin and v.version = u.version
  returning ${UPGRADE.sql}`;

const OVERDUE = columns((row) => ({
  plugin: row.number('d.plugin'),
  version: row.text('c.version'),
  overdueSchema: row.number('d.schema_version'),
}));

/** Records follow the last version with their schema version, so a deadline holds for that one alone. */
const FIND_OVERDUE = prepared('overdue_versions')`select ${OVERDUE.sql}
  from plugin_version d
  join plugin_version c on c.plugin = d.plugin and c.state = 'current' and c.schema_version > d.schema_version
  where d.state = 'deprecated' and d.upgrade_by <= $1
    and not exists (
      select from plugin_version n
      where n.plugin = d.plugin and n.schema_version = d.schema_version and n.number > d.number
    )
    and not exists (
      select from plugin_upgrade u
      where u.plugin = d.plugin and u.version = c.version and u.overdue_schema = d.schema_version
        and (u.state = 'running' or u.started_at > $1 - interval '1 hour')
    )`;

export function postgresPluginUpgradeStore({ pool }: Pick<Database, 'pool'>): PluginUpgradeStore {
  return {
    start: (ref, version, options, author) =>
      changeRegistry(pool, async (client) => {
        const plugin = await idIn(client, ref);
        return plugin === null
          ? null
          : start(client, { plugin, version, overdueSchema: 0, ...options }, author);
      }),

    find: async (ref, version) => {
      const plugin = await idIn(pool, ref);
      return plugin === null ? null : lastUpgrade(pool, plugin, version);
    },

    cancel: (ref, version, author) =>
      changeRegistry(pool, async (client) => {
        const plugin = await idIn(client, ref);
        if (plugin === null) return null;
        const cancelled = await run(client, CANCEL, [plugin, version, author.at.toISOString()]);
        const [target] = await run(client, FIND_TARGET, [plugin, version]);
        if (cancelled.length > 0 && target !== undefined) {
          const name = `${TARGET.read(target).name} ${version}`;
          await insertAudit(client, author, 'plugin_upgrade_cancelled', { type: 'plugin', id: plugin, name });
        }
        return lastUpgrade(client, plugin, version);
      }),

    startOverdue: async (author) => {
      const at = author.at.toISOString();
      if ((await run(pool, FIND_OVERDUE, [at])).length === 0) return;
      await changeRegistry(pool, async (client) => {
        for (const row of await run(client, FIND_OVERDUE, [at])) {
          await start(client, { ...OVERDUE.read(row), force: false }, author);
        }
      });
    },

    begin: async (task, at) => {
      const [row] = await run(pool, UPGRADE_OF_TASK, [task.key, task.id]);
      if (row !== undefined) return { task, upgrade: UPGRADE.read(row), refs: refsIn(task.payload ?? '') };
      await run(pool, CANCEL_OF_TASK, [task.key, task.id, at.toISOString()]);
      await settleTask(pool, task, null);
      return null;
    },

    finish: ({ task, upgrade, refs }, { counts, isCancelled, at }) =>
      inTransaction(pool, BEGIN_ROW_BY_ROW, async (client) => {
        if (!(await lockTask(client, task))) return null;
        const next = isCancelled ? [] : await nextRecords(client, upgrade, refs.at(-1));
        const state = isCancelled ? 'cancelled' : next.length === 0 ? 'succeeded' : 'running';
        const { upgraded, needsInput, unsupported, pinned } = counts;
        const done = [refs.length, upgraded, needsInput, unsupported, pinned];
        const [row] = await run(client, ADD_PROGRESS, [task.key, task.id, ...done, state, at.toISOString()]);
        const stored = row === undefined ? null : UPGRADE.read(row);
        const isOver = stored?.state !== 'running';
        await settleTask(client, task, isOver ? null : { dueInMs: 0, payload: payloadOf(next) });
        return stored;
      }),
  };
}

type NewUpgrade = Pick<PluginUpgrade, 'plugin' | 'version' | 'overdueSchema'> & UpgradeOptions;

async function start(
  client: pg.ClientBase,
  upgrade: NewUpgrade,
  author: Author,
): Promise<PluginUpgrade | null> {
  const { plugin, version, overdueSchema } = upgrade;
  const [target] = await run(client, FIND_TARGET, [plugin, version]);
  if (target === undefined) return null;
  const { name, state } = TARGET.read(target);
  if (state === 'withdrawn') throw invalidInput('version', `Version ${version} is withdrawn.`);
  const same = [plugin, version, overdueSchema];
  const [former] = await run(client, SAME_UPGRADE, same);
  if (former !== undefined && UPGRADE.read(former).state === 'running') return UPGRADE.read(former);
  const first = await nextRecords(client, upgrade, undefined);
  const [counted = []] = await run(client, COUNT, same);
  const isRunning = first.length > 0;
  const { actor, requestId, at } = author;
  await run(
    client,
    STORE_UPGRADE,
    WRITTEN.values({
      ...upgrade,
      taskId: isRunning ? await addTask(client, plugin, first) : null,
      state: isRunning ? 'running' : 'succeeded',
      total: numberAt(counted, 0),
      done: 0,
      upgraded: 0,
      needsInput: 0,
      unsupported: 0,
      pinned: 0,
      ...actorColumns(actor),
      requestId,
      startedAt: at,
      finishedAt: isRunning ? null : at,
    }),
  );
  // What a deadline has left is tried every hour.
  if (overdueSchema === 0 || former === undefined) {
    const subject = { type: 'plugin', id: plugin, name: `${name} ${version}` } as const;
    await insertAudit(client, author, 'plugin_upgrade_started', subject);
  }
  const [row = []] = await run(client, SAME_UPGRADE, same);
  return UPGRADE.read(row);
}

async function addTask(client: pg.ClientBase, plugin: number, refs: readonly RecordRef[]): Promise<number> {
  const payload = payloadOf(refs);
  const task = { kind: 'upgrade', projectId: SERVICE, accountId: null, key: plugin, payload } as const;
  const [row = []] = await run(client, ADD_TASK, NEW_TASK.values(task));
  return numberAt(row, 0);
}

async function nextRecords(
  client: pg.ClientBase,
  { plugin, version, overdueSchema }: NewUpgrade,
  after: RecordRef | undefined,
): Promise<UpgradeTurn['refs']> {
  const { projectId, family, id } = after ?? { projectId: 0, family: '', id: 0 };
  const rows = await run(client, NEXT_RECORDS, [plugin, version, overdueSchema, projectId, family, id]);
  return rows.map((row) => REF.read(row));
}

async function lastUpgrade(
  connection: pg.Pool | pg.ClientBase,
  plugin: number,
  version: string,
): Promise<PluginUpgrade | null> {
  const [row] = await run(connection, LAST_UPGRADE, [plugin, version]);
  return row === undefined ? null : UPGRADE.read(row);
}

function payloadOf(refs: readonly RecordRef[]): string {
  return refs.map(({ projectId, family, id }) => `${projectId} ${family} ${id}`).join(',');
}

function refsIn(payload: string): readonly RecordRef[] {
  return payload.split(',').map((ref) => {
    const [projectId, family, id] = ref.split(' ');
    return { projectId: Number(projectId), family: family as Family, id: Number(id) };
  });
}
