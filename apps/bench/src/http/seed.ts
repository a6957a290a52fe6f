import type { Client } from 'pg';

export const PROJECTS = 1000;
export const RECORDS_PER_PROJECT = 100;

const CONFIG = JSON.stringify({ host: 'events.example.com', batch: 500, region: 'eu-west-1' });

/** The same records twice: in the service's own tables, and in the plain one of the bare server. */
export async function seed(client: Client): Promise<void> {
  await client.query(
    `insert into project (name, created_at) select 'Project ' || n, now() from generate_series(1, ${PROJECTS}) n`,
  );
  await client.query(`
    insert into config_family (project_id, family)
    select id, family from project, unnest(array['plugin_configs', 'pipeline_transformation_configs']) family`);
  await client.query(
    `insert into config_record (project_id, family, plugin, enabled, position, name, description, config, secrets,
       deleted, created_at, updated_at, version)
     select p.id, 'plugin_configs', 1 + n % 20, true, n, 'Record ' || n, 'Sends events on', $1, '{}', false, now(),
       now(), 1
     from project p, generate_series(1, ${RECORDS_PER_PROJECT}) n order by p.id, n`,
    [CONFIG],
  );
  await client.query(`
    create table bare_record (
      id bigint generated always as identity primary key, team_id bigint not null, plugin integer not null,
      enabled boolean not null default false, "order" integer not null, config text not null default '{}',
      error text, plugin_info text, delivery_rate_24h text, created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(), name text, description text,
      deleted boolean not null default false);
    create index on bare_record (team_id, "order", id)`);
  await client.query(`
    insert into bare_record (team_id, plugin, enabled, "order", name, description, config)
    select project_id, plugin, enabled, position, name, description, config from config_record order by id`);
  await client.query('vacuum analyze');
}
