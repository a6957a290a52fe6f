import { expect, test } from 'vitest';
import type { JsonObject } from '@plugin-config/client';
import { NO_DRAFTS } from '../editing/field.ts';
import { payloadErrors, payloadForm, payloadOf } from './payload-form.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['from'],
  properties: {
    from: { type: 'string', format: 'date-time', description: 'The first event.' },
    count: { type: 'integer', title: 'Events', default: 10 },
    share: { type: 'number' },
    dry: { type: 'boolean' },
    region: { enum: ['eu', 'us'] },
    level: { enum: [1, 2] },
    note: { type: 'string' },
    filter: { type: 'object' },
    anything: true,
  },
  additionalProperties: false,
};

test('an object has a field for each property, by its type', () => {
  const { fields } = payloadForm(SCHEMA);
  expect(fields.map(({ label, type, isTime, required }) => [label, type, isTime, required])).toEqual([
    ['from', 'string', true, true],
    ['Events', 'number', undefined, false],
    ['share', 'number', undefined, false],
    ['dry', 'boolean', undefined, false],
    ['region', 'choice', undefined, false],
    ['level', 'choice', undefined, false],
    ['note', 'string', undefined, false],
    ['filter (JSON)', 'json', undefined, false],
    ['anything (JSON)', 'json', undefined, false],
  ]);
});

test('the payload has what is given, the defaults, and what is entered', () => {
  const form = payloadForm(SCHEMA, { from: '2026-03-01T09:30:00Z', unknown: 1 });
  const drafts = new Map([
    ['job.payload.dry', 'true'],
    ['job.payload.level', '2'],
    ['job.payload.filter', '{"a": 1}'],
  ]);
  expect(payloadOf(form, drafts)).toEqual({
    payload: { from: '2026-03-01T09:30:00Z', count: 10, dry: true, level: 2, filter: { a: 1 } },
    mistakes: new Map(),
  });
  const emptied = new Map([['job.payload.count', '']]);
  expect(payloadOf(payloadForm(SCHEMA, { from: 'no time' }), emptied)).toEqual({
    payload: {},
    mistakes: new Map([['job.payload.from', 'This field is required.']]),
  });
});

test.for([
  undefined,
  {},
  { type: 'array' },
  { type: 'object' },
  { ...SCHEMA, additionalProperties: true },
  { ...SCHEMA, anyOf: [{ required: ['to'] }] },
] as const)('payloads of other schemas are JSON: %#', (schema) => {
  const form = payloadForm(schema);
  expect(form.fields).toMatchObject([{ name: 'job.payload', type: 'json' }]);
  expect(payloadOf(form, NO_DRAFTS).payload).toBeNull();
  expect(payloadOf(form, new Map([['job.payload', '[1]']])).payload).toEqual([1]);
  expect(payloadOf(payloadForm(schema, { to: 'b' }), NO_DRAFTS).payload).toEqual({ to: 'b' });
});

test('errors are at the field whose value they are in', () => {
  const errors = [
    { attr: 'job.payload.count', detail: 'First.' },
    { attr: 'job.payload.count', detail: 'Second.' },
    { attr: 'job.payload.filter.a.0', detail: 'Deep.' },
  ];
  const problems = new Map([
    ['job.payload.count', 'First.'],
    ['job.payload.filter', 'a.0: Deep.'],
  ]);
  expect(payloadErrors(errors, payloadForm(SCHEMA))).toEqual({ problems, hasOthers: false });
  const whole = { attr: 'job.payload', detail: 'Whole.' };
  expect(payloadErrors([whole], payloadForm(SCHEMA)).hasOthers).toBe(true);
  expect(payloadErrors([whole, ...errors], payloadForm({}))).toEqual({
    problems: new Map([['job.payload', 'Whole.']]),
    hasOthers: false,
  });
});
