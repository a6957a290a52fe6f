import type { Client } from 'pg';
import { CONFIG, seedRecords } from '../seed-records.ts';

export const PROJECTS = 1000;
export const RECORDS_PER_PROJECT = 100;

/** Inserts the same records into the service's tables and into the table of the bare server. */
export async function seed(client: Client, databaseUrl: string): Promise<void> {
  await seedRecords(databaseUrl, PROJECTS, RECORDS_PER_PROJECT);
  await client.query(`
    create table bare_record (
      id bigint generated always as identity primary key, team_id bigint not null, plugin integer not null,
      enabled boolean not null default false, "order" integer not null, config text not null default '{}',
      error text, plugin_info text, delivery_rate_24h text, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(), name text, description text,
      deleted boolean not null default false);
    create index on bare_record (team_id, "order", id)`);
  await client.query(
    `insert into bare_record (team_id, plugin, enabled, "order", name, description, config)
    select project_id, plugin, enabled, position, name, description, $1 from config_record order by id`,
    [CONFIG],
  );
  await client.query('vacuum analyze');
}
