import type { Client } from 'pg';

const CONFIG = JSON.stringify({ host: 'events.example.com', batch: 500, region: 'eu-west-1' });

/** Inserts projects and their plugin configs, both with ids from 1. */
export async function seedRecords(
  client: Client,
  projects: number,
  recordsPerProject: number,
): Promise<void> {
  await client.query(
    `insert into project (name, created_at) select 'Project ' || n, now() from generate_series(1, ${projects}) n`,
  );
  await client.query(`
    insert into config_family (project_id, family)
    select id, family from project, unnest(array['plugin_configs', 'pipeline_transformation_configs']) family`);
  await client.query(
    `insert into config_record (project_id, family, plugin, enabled, position, name, description, config, secrets,
       deleted, created_at, updated_at, version)
     select p.id, 'plugin_configs', 1 + n % 20, true, n, 'Record ' || n, 'Sends events on', $1, '{}', false, now(),
       now(), 1
     from project p, generate_series(1, ${recordsPerProject}) n order by p.id, n`,
    [CONFIG],
  );
}
