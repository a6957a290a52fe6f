import fastify from 'fastify';

/** The limit: the framework alone, answering the same bytes from memory. */
const { record, list } = await new Promise<{ readonly record: string; readonly list: string }>((resolve) => {
  process.once('message', resolve);
});

const JSON_TYPE = 'application/json; charset=utf-8';
const app = fastify();
const bytes = { record: Buffer.from(record), list: Buffer.from(list) };

app.get('/api/projects/:project/plugin_configs/', (_request, reply) =>
  reply.type(JSON_TYPE).send(bytes.list),
);
app.get('/api/projects/:project/plugin_configs/:id/', (_request, reply) =>
  reply.type(JSON_TYPE).send(bytes.record),
);
app.patch('/api/projects/:project/plugin_configs/:id/', (_request, reply) =>
  reply.type(JSON_TYPE).send(bytes.record),
);
app.post('/api/projects/:project/plugin_configs/', (_request, reply) =>
  reply.code(201).type(JSON_TYPE).send(bytes.record),
);

const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
process.send?.({ port: Number(address.port) });
process.once('disconnect', () => process.exit());
