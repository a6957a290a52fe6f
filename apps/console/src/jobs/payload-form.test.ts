import { expect, test } from 'vitest';
import type { JsonObject } from '@plugin-config/client';
import { NO_DRAFTS } from '../editing/field.ts';
import { payloadForm, payloadOf } from './payload-form.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  $defs: { count: { type: 'integer', default: 10 } },
  required: ['from'],
  properties: {
    from: { type: 'string', format: 'date-time' },
    count: { $ref: '#/$defs/count' },
  },
};

test('the payload has what is given, the defaults, and what is entered', () => {
  const form = payloadForm(SCHEMA, { from: '2026-03-01T09:30:00Z', unknown: 1 });
  expect(payloadOf(form, NO_DRAFTS)).toEqual({
    payload: { from: '2026-03-01T09:30:00Z', count: 10 },
    mistakes: new Map(),
  });
  expect(payloadOf(form, new Map([['job.payload', '{"count": 2}']])).payload).toEqual({ count: 2 });
  expect(payloadOf(form, new Map([['job.payload', '']])).payload).toEqual({});
  expect([...payloadOf(form, new Map([['job.payload', '{"count": (x)}']])).mistakes.keys()]).toEqual([
    'job.payload',
  ]);
});

test.for([undefined, {}, { type: 'array' }, { type: 'object' }, { ...SCHEMA, anyOf: [{}] }] as const)(
  'payloads of other schemas are JSON: %#',
  (schema) => {
    const form = payloadForm(schema);
    expect(payloadOf(form, NO_DRAFTS).payload).toBeNull();
    expect(payloadOf(form, new Map([['job.payload', '[1]']])).payload).toEqual([1]);
    expect(payloadOf(payloadForm(schema, { to: 'b' }), NO_DRAFTS).payload).toEqual({ to: 'b' });
  },
);
