import {
  CALM,
  disableRecord,
  PAGE_MAX_BYTES,
  SERVICE,
  type Alert,
  type AlertEvaluation,
  type FamilyRef,
  type Task,
  type Transition,
} from '@plugin-config/domain';
import type pg from 'pg';
import type { EncryptedDatabase } from '../configuration/encrypted-database.ts';
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts';
import { columns } from '../postgres/columns.ts';
import { inTransaction, lockTimeout } from '../postgres/in-transaction.ts';
import { BEGIN_ROW_BY_ROW } from '../postgres/plans.ts';
import { prepared, run } from '../postgres/statement.ts';
import { readChunk } from '../record/find-records.ts';
import { saveRecords } from '../record/save-records.ts';
import { requireStored } from '../record/store-writes.ts';
import { lockFamilies } from '../writing/lock-families.ts';
import { closeIncidents, othersOf, openIncidents, storeOthers } from './write-incidents.ts';

/** The maximum number of records that are disabled in one transaction, with their family locked. */
const DISABLED_AT_ONCE = 100;

const LOCK_CLAIMED_ALERT = prepared('lock_claimed_alert')`
  select from alert a join task t on t.id = $4 and t.attempts = $5
  where a.project_id = $1 and a.id = $2 and a.version = $3
  for no key update of a, t`;

const LOCKED = columns((row) => row.number('n.id'));

/** Locks the projects of records until the transaction ends, which delays their deletion. Returns the existing projects. */
const LOCK_PROJECTS = prepared('lock_projects_of_records')`select ${LOCKED.sql}
  from unnest($1::bigint[]) n (id)
  left join config_record r on r.id = n.id
  join project p on p.id = coalesce(r.project_id, -n.id)
  for key share of p`;

const OF_PROJECT = columns((row) => ({ id: row.number('r.id'), projectId: row.number('r.project_id') }));

const PROJECTS_OF_RECORDS = prepared('projects_of_records')`
  select ${OF_PROJECT.sql} from config_record r where r.id = any ($1::bigint[])`;

const SAVE_STATES = prepared('save_alert_states')`
  insert into alert_state (alert_id, record_id, recent, firing)
  select $1, t.* from unnest($2::bigint[], $3::text[], $4::boolean[]) t (record_id, recent, firing)
  on conflict (alert_id, record_id) do update set recent = excluded.recent, firing = excluded.firing`;

const DROP_STATES = prepared('drop_alert_states')`
  delete from alert_state where alert_id = $1 and record_id = any ($2::bigint[])`;

/** Locks the plugins of records in shared mode, which writers do before they lock the family. */
const LOCK_PLUGINS = prepared('lock_plugins_of_records')`
  select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.plugin}, p.plugin)
  from (
    select distinct r.plugin from config_record r where r.project_id = $1 and r.id = any ($2::bigint[]) order by r.plugin
  ) p`;

/** An alert of a project whose task has been claimed. */
export interface Claim extends Pick<AlertEvaluation, 'alert' | 'at' | 'closing'> {
  readonly task: Task;
}

type Storing = Pick<EncryptedDatabase, 'pool' | 'configurations'>;

type Opening = Transition & { readonly effect: { readonly kind: 'open' } };

/** Stores states and incidents. Resolves to false if the claim is no longer current. */
export async function storeTransitions(
  database: Storing,
  claim: Claim,
  transitions: readonly Transition[],
): Promise<boolean> {
  const { pool } = database;
  const opening = transitions.filter(isOpening);
  const isDisabling = claim.alert.action === 'disable';
  const others = isDisabling ? transitions.filter((each) => !isOpening(each)) : transitions;
  if (others.length > 0) {
    const isStored = await inTransaction(pool, 'begin', (client) => storeIn(client, claim, others));
    if (!isStored) return false;
  }
  for (const [projectId, ofProject] of isDisabling ? await byProject(pool, opening) : []) {
    const family = { projectId, family: claim.alert.family };
    let left = ofProject;
    while (left.length > 0) {
      const chunk = left.slice(0, DISABLED_AT_ONCE);
      const disabled = await inTransaction(pool, BEGIN_ROW_BY_ROW, (client) =>
        disableIn(client, database, { claim, family }, chunk),
      );
      if (disabled === null) return false;
      left = left.slice(disabled);
    }
  }
  return true;
}

/** Stores how many records breach the rule without an incident of their own. Counts all, so once per evaluation. */
export async function countOthers(pool: pg.Pool, claim: Claim): Promise<void> {
  const { alert, at, closing } = claim;
  const { others, known } = await othersOf(pool, alert);
  if (others === known) return;
  await inTransaction(pool, 'begin', async (client) => {
    if (await lockClaimed(client, claim))
      await storeOthers(client, alert, { at, reason: closing ?? 'recovered', others });
  });
}

async function byProject(
  pool: pg.Pool,
  opening: readonly Opening[],
): Promise<ReadonlyMap<number, readonly Opening[]>> {
  if (opening.length === 0) return new Map();
  const rows = await run(pool, PROJECTS_OF_RECORDS, [opening.map(({ recordId }) => recordId)]);
  const projects = new Map(
    rows.map((row) => OF_PROJECT.read(row)).map(({ id, projectId }) => [id, projectId]),
  );
  const known = opening.filter(({ recordId }) => projects.has(recordId));
  return Map.groupBy(known, ({ recordId }) => projects.get(recordId) ?? 0);
}

async function storeIn(
  client: pg.ClientBase,
  claim: Claim,
  changed: readonly Transition[],
): Promise<boolean> {
  if (!(await lockClaimed(client, claim))) return false;
  const { alert, at } = claim;
  const rows = await run(client, LOCK_PROJECTS, [changed.map(({ recordId }) => recordId)]);
  const locked = new Set(rows.map((row) => LOCKED.read(row)));
  if (locked.size === 0) return alert.projectId === SERVICE;
  const transitions = changed.filter(({ recordId }) => locked.has(recordId));
  await saveStates(client, alert, transitions);
  await closeIncidents(client, alert, {
    at,
    records: transitions.flatMap(({ recordId, effect }) =>
      effect?.kind === 'close' ? { recordId, reason: effect.reason } : [],
    ),
  });
  await openIncidents(client, alert, {
    at,
    closedFor: null,
    records: transitions.filter(isOpening).map(({ recordId, effect: { value } }) => ({ recordId, value })),
  });
  return true;
}

/**
 * Disables records, and stores an incident for each that was still enabled. Returns how many records it has handled, from the
 * first on: fewer than all if their configurations are large. Returns null if the claim is no longer current. Locks plugins,
 * the family and the alert, in the same order as every writer.
 */
async function disableIn(
  client: pg.ClientBase,
  { configurations }: Storing,
  { claim, family }: { readonly claim: Claim; readonly family: FamilyRef },
  opening: readonly Opening[],
): Promise<number | null> {
  const { alert, at } = claim;
  const ids = opening.map(({ recordId }) => recordId);
  await run(client, LOCK_PLUGINS, [family.projectId, ids]);
  // A project that was deleted in the meantime has no records to disable.
  if (!(await lockFamilies(client, [family]))) return alert.projectId === SERVICE ? opening.length : null;
  if (!(await lockClaimed(client, claim))) return null;
  const found = await readChunk(client, { configurations }, family, { ids, maxBytes: PAGE_MAX_BYTES });
  const writes = found.flatMap((record) => (record && disableRecord(alert, record, at)) ?? []);
  const waitMs = lockTimeout(undefined);
  const saved = writes.length === 0 ? [] : await saveRecords(client, writes, { configurations, waitMs });
  for (const outcome of saved) requireStored(outcome);
  const handled = opening.slice(0, found.length);
  await saveStates(
    client,
    alert,
    handled.map(({ recordId }) => ({ recordId, state: CALM })),
  );
  const disabled = new Set(writes.map(({ before }) => before.id));
  await openIncidents(client, alert, {
    at,
    closedFor: 'disabled',
    records: handled
      .filter(({ recordId }) => disabled.has(recordId))
      .map(({ recordId, effect: { value } }) => ({ recordId, value })),
  });
  return found.length;
}

async function lockClaimed(client: pg.ClientBase, { alert, task }: Claim): Promise<boolean> {
  const parameters = [alert.projectId, alert.id, alert.version, task.id, task.attempts];
  return (await run(client, LOCK_CLAIMED_ALERT, parameters)).length > 0;
}

async function saveStates(
  client: pg.ClientBase,
  { id }: Alert,
  changed: readonly Pick<Transition, 'recordId' | 'state'>[],
): Promise<void> {
  const [calm, others] = [changed.filter(isCalm), changed.filter((each) => !isCalm(each))];
  if (calm.length > 0) await run(client, DROP_STATES, [id, calm.map(({ recordId }) => recordId)]);
  if (others.length === 0) return;
  await run(client, SAVE_STATES, [
    id,
    others.map(({ recordId }) => recordId),
    others.map(({ state }) => state.recent.map(Number).join('')),
    others.map(({ state }) => state.firing),
  ]);
}

function isCalm({ state }: Pick<Transition, 'state'>): boolean {
  return state.recent.length === 0;
}

function isOpening(transition: Transition): transition is Opening {
  return transition.effect?.kind === 'open';
}
