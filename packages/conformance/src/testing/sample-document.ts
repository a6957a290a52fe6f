const tag = { ETag: { $ref: '#/components/headers/ETag' } };
const error = {
  description: 'Rejected.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};
const thing = { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } };

/** A small document with everything that is checked. */
export const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'retrieve_thing',
        responses: {
          200: {
            description: 'The thing.',
            headers: { ...tag, Age: { schema: { type: 'integer' } } },
            content: thing,
          },
          304: { description: 'Unchanged.', headers: tag },
          404: { $ref: '#/components/responses/Error' },
        },
      },
    },
    '/things/stream': {
      get: {
        operationId: 'stream_things',
        responses: {
          200: {
            description: 'The things as they change.',
            content: {
              'text/event-stream': {
                schema: { type: 'string' },
                'x-events': { thing: { $ref: '#/components/schemas/Thing' } },
              },
            },
          },
        },
      },
    },
    '/things/newest': {
      get: {
        operationId: 'retrieve_newest',
        responses: { 200: { description: 'The thing.', content: thing } },
      },
    },
  },
  components: {
    headers: { ETag: { required: true, schema: { type: 'string', pattern: '^"' } } },
    responses: { Error: { ...error, headers: { ETag: { schema: { type: 'string' } } } } },
    schemas: {
      Error: { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] },
      Thing: {
        type: 'object',
        properties: { id: { type: 'integer', maximum: 9 }, name: { type: ['string', 'null'] } },
        required: ['id', 'name'],
      },
    },
  },
};
