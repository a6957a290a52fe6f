import { expect, test } from 'vitest';
import { breakingChanges } from './breaking-changes.ts';

const STATE = { type: 'string', enum: ['on', 'off'] };
const RELEASED = {
  openapi: '3.1.0',
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'replace_thing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 9 } },
          { $ref: '#/components/parameters/Dry' },
        ],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Change' } } },
        },
        responses: {
          200: {
            headers: { ETag: { schema: { type: 'string' } } },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
              'text/event-stream': { schema: {}, 'x-events': { state: STATE } },
            },
          },
          404: {},
        },
      },
    },
  },
  webhooks: {
    moved: {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Moved' } } } },
      },
    },
  },
  components: {
    parameters: { Dry: { name: 'dry', in: 'query', schema: { type: 'boolean' } } },
    schemas: {
      Change: {
        type: 'object',
        properties: { state: STATE, name: { type: ['string', 'null'], maxLength: 9 } },
        required: ['state'],
      },
      Moved: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      Thing: {
        type: 'object',
        properties: {
          state: STATE,
          tags: { type: 'array', items: { type: 'string' } },
          note: { type: 'string' },
        },
        required: ['state', 'tags'],
      },
    },
  },
};

const PUT = '$.paths./things/{id}.put';
const EVENTS = `${PUT}.responses.200.content.text/event-stream.x-events`;
const CHANGE = '$.components.schemas.Change';
const THING = '$.components.schemas.Thing';
const MOVED = '$.components.schemas.Moved';

/** Returns the document with another value at the path, or without it if the value is undefined. */
function changed(path: string, value?: unknown): typeof RELEASED {
  const document = copy(RELEASED);
  const names = path.split(/\.(?![^{]*\})/).slice(1);
  const parent = names
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, document);
  parent[names.at(-1) ?? ''] = value;
  return copy(document);
}

const copy = <T>(document: T): T => JSON.parse(JSON.stringify(document));

test.for<readonly [string, string, unknown?]>([
  ['removed', '$.paths./things/{id}.put'],
  ['renamed from replace_thing to put_thing', `${PUT}.operationId`, 'put_thing'],
  ['parameter dry (query) removed', `${PUT}.parameters.1`, { name: 'wet', in: 'query', schema: {} }],
  ['parameter dry (query) made required', '$.components.parameters.Dry.required', true],
  ['parameter id (path): maximum changed', `${PUT}.parameters.0.schema.maximum`, 8],
  ['parameter id (path): minimum changed', `${PUT}.parameters.0.schema.minimum`, 2],
  ['body made required', `${PUT}.requestBody.required`, true],
  ['body: application/json removed', `${PUT}.requestBody.content`, { 'text/plain': { schema: {} } }],
  ['body.state: enum changed', `${CHANGE}.properties.state.enum`, ['on']],
  ['body.name removed', `${CHANGE}.properties.name`],
  ['body.name: type changed', `${CHANGE}.properties.name.type`, 'string'],
  ['body.name: maxLength changed', `${CHANGE}.properties.name.maxLength`, 8],
  ['body.name: pattern changed', `${CHANGE}.properties.name.pattern`, '^a'],
  ['body.name: required changed', `${CHANGE}.required`, ['state', 'name']],
  ['body: additionalProperties changed', `${CHANGE}.additionalProperties`, false],
  ['response 404 removed', `${PUT}.responses.404`],
  ['response 200: header ETag removed', `${PUT}.responses.200.headers`],
  ['response 200: application/json removed', `${PUT}.responses.200.content.application/json`],
  ['response 200: event state removed', `${EVENTS}.state`],
  ['response 200: event state: enum changed', `${EVENTS}.state.enum`, ['on', 'off', 'broken']],
  ['response 200.state: enum changed', `${THING}.properties.state.enum`, ['on', 'off', 'broken']],
  ['response 200.state: required changed', `${THING}.required`, ['tags']],
  ['response 200.tags[]: type changed', `${THING}.properties.tags.items.type`, ['string', 'null']],
  [
    'response 200.tags: alternatives changed',
    `${THING}.properties.tags`,
    { anyOf: [{ type: 'array' }, { type: 'null' }] },
  ],
])('breaks clients: %s', ([change, path, value]) => {
  expect(breakingChanges(RELEASED, changed(path, value))).toEqual([`PUT /things/{id}: ${change}`]);
});

test.for<readonly [string, string, unknown?]>([
  [': removed', '$.webhooks.moved'],
  ['.to: type changed', `${MOVED}.properties.to.type`, ['string', 'null']],
  ['.to: required changed', `${MOVED}.required`, []],
])('breaks receivers of webhooks: %s', ([change, path, value]) => {
  expect(breakingChanges(RELEASED, changed(path, value))).toEqual([`webhook moved${change}`]);
});

test.for<readonly [string, unknown?]>([
  ['$.openapi', '3.1.1'],
  ['$.webhooks.renamed', { post: {} }],
  [`${MOVED}.properties.by`, { type: 'string' }],
  ['$.paths./things', { get: { operationId: 'list_things', responses: { 200: {} } } }],
  [`${PUT}.parameters.2`, { name: 'wet', in: 'query', schema: {} }],
  [`${PUT}.parameters.0.schema.maximum`, 10],
  [`${PUT}.responses.409`, {}],
  [`${EVENTS}.other`, STATE],
  [`${CHANGE}.required`, []],
  [`${CHANGE}.properties.state.enum`, ['on', 'off', 'broken']],
  [`${CHANGE}.properties.name.maxLength`],
  [`${CHANGE}.properties.more`, { type: 'string' }],
  [`${THING}.required`, ['state', 'tags', 'note']],
  [`${THING}.properties.more`, { type: 'string' }],
  [`${THING}.properties.state.enum`, ['on']],
])('does not break clients: %j', ([path, value]) => {
  expect(breakingChanges(RELEASED, changed(path, value))).toEqual([]);
});
