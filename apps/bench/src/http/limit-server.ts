import fastify from 'fastify';

/** The upper limit: the framework alone, which sends the service's responses from memory. */
const { responses, record } = await new Promise<LimitResponses>((resolve) => {
  process.once('message', resolve);
});

export interface LimitResponses {
  /** The responses to reads, by path. */
  readonly responses: Readonly<Record<string, string>>;
  /** The response to writes. */
  readonly record: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const app = fastify();
const bodies = new Map(Object.entries(responses).map(([path, body]) => [path, Buffer.from(body)]));
const written = Buffer.from(record);

for (const path of ['', 'runtime', ':id/']) {
  app.get(`/api/projects/:project/plugin_configs/${path}`, (request, reply) =>
    request.headers['if-none-match'] === undefined
      ? reply.type(JSON_TYPE).send(bodies.get(request.url))
      : reply.code(304).send(),
  );
}
app.patch('/api/projects/:project/plugin_configs/:id/', (_request, reply) =>
  reply.type(JSON_TYPE).send(written),
);
app.post('/api/projects/:project/plugin_configs/', (_request, reply) =>
  reply.code(201).type(JSON_TYPE).send(written),
);

const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
process.send?.({ port: Number(address.port) });
process.once('disconnect', () => process.exit());
