import { expect, test } from 'vitest';
import { endpoints } from './endpoints/endpoints.ts';
import { prefersStrict, rejectUnknownFields, rejectUnknownParameters } from './strict-handling.ts';

test.for([
  ['handling=strict', true],
  ['respond-async, Handling = "strict"; a=b', true],
  ['handling=lenient', false],
  ['x-handling=strict', false],
] as const)('Prefer: %s is strict: %s', ([header, isStrict]) => {
  expect(prefersStrict(header)).toBe(isStrict);
});

test.for([
  ['createRecord', { plugin: 1, nmae: 'Shop' }, 'nmae'],
  ['createAlert', { for: { n: 1, m: 1, k: 1 } }, 'for.k'],
  ['deleteRecord', { reason: 'unused' }, 'reason'],
  ['reportRuntime', { failed: [{ id: 1, error: '', code: 2 }], labels: { region: 'eu' } }, 'failed.0.code'],
] as const)('%s with %j is rejected for %s', ([name, body, attr]) => {
  expect(() => rejectUnknownFields(endpoints[name], body)).toThrow(expect.objectContaining({ attr }));
});

test('fields of the response may be sent back', () => {
  const body = { plugin: 1, id: 5, config: '{}' };
  expect(() => rejectUnknownFields(endpoints.createRecord, body)).not.toThrow();
});

test('unknown parameters are rejected', () => {
  const check = (query: object) => () => rejectUnknownParameters(endpoints.listRecords, query);
  expect(check({ limit: '5', changed_since: 'a' })).not.toThrow();
  expect(check({ limt: '5' })).toThrow(expect.objectContaining({ attr: 'limt' }));
  expect(() => rejectUnknownParameters(endpoints.createRecord, { dry_run: 'true' })).not.toThrow();
  expect(() => rejectUnknownParameters(endpoints.retrieveRecord, { limit: '5' })).toThrow();
});
