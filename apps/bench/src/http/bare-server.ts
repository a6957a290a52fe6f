import fastify from 'fastify';
import { Pool } from 'pg';

/**
 * A hand-written server for comparison: a framework, a driver, prepared statements.
 * It has no credentials, versions, activity or revisions.
 */
const pool = new Pool({ connectionString: process.env['BENCH_DATABASE_URL'], max: 20 });
const app = fastify();

interface Path {
  readonly project: string;
  readonly id: string;
}

app.get<{ Params: Path }>('/api/projects/:project/plugin_configs/', async ({ params }) => {
  const { rows } = await pool.query<{ readonly total: string }>({
    name: 'list',
    text: `select *, count(*) over () as total from bare_record where team_id = $1 and not deleted
           order by "order", id limit 100`,
    values: [params.project],
  });
  return { count: Number(rows[0]?.total ?? 0), next: null, previous: null, results: rows };
});

app.get<{ Params: Path }>('/api/projects/:project/plugin_configs/runtime', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'runtime',
    text: 'select * from bare_record where team_id = $1 and enabled and not deleted order by "order", id',
    values: [params.project],
  });
  return { results: rows };
});

app.get<{ Params: Path }>('/api/projects/:project/plugin_configs/:id/', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'one',
    text: 'select * from bare_record where team_id = $1 and id = $2',
    values: [params.project, params.id],
  });
  return rows[0];
});

app.patch<{ Params: Path; Body: { readonly name: string } }>(
  '/api/projects/:project/plugin_configs/:id/',
  async ({ params, body }) => {
    const { rows } = await pool.query({
      name: 'update',
      text: 'update bare_record set name = $3, updated_at = now() where team_id = $1 and id = $2 returning *',
      values: [params.project, params.id, body.name],
    });
    return rows[0];
  },
);

app.post<{ Params: Path; Body: { readonly plugin: number; readonly name: string; readonly order: number } }>(
  '/api/projects/:project/plugin_configs/',
  async ({ params, body }, reply) => {
    const { rows } = await pool.query({
      name: 'insert',
      text: 'insert into bare_record (team_id, plugin, "order", name) values ($1, $2, $3, $4) returning *',
      values: [params.project, body.plugin, body.order, body.name],
    });
    return reply.code(201).send(rows[0]);
  },
);

const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
process.send?.({ port: Number(address.port) });
process.once('disconnect', () => process.exit());
