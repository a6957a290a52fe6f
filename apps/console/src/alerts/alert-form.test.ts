import type { Alert } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeBetween } from '../editing/rebased.ts';
import { alertOf, formOf, NEW_ALERT, previewOf, withFamily } from './alert-form.ts';

const thresholds = fc.oneof(
  fc.record({ signal: fc.constant('delivery_rate'), threshold: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ signal: fc.constant('log'), threshold: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ signal: fc.constantFrom('error', 'silence', 'runtime'), threshold: fc.constant(null) }),
);
const alerts = fc
  .tuple(
    fc.record({
      name: fc.string({ minLength: 1 }),
      family: fc.constantFrom('plugin_configs', 'pipeline_transformation_configs'),
      window_minutes: fc.integer({ min: 5, max: 1440 }),
      min_samples: fc.nat(1_000_000),
      for: fc.record({ n: fc.integer({ min: 1, max: 10 }), m: fc.integer({ min: 1, max: 10 }) }),
      action: fc.constantFrom('notify', 'disable'),
      enabled: fc.boolean(),
    }),
    fc.constantFrom({ record: null, plugin: null }, { record: 3, plugin: null }, { record: null, plugin: 8 }),
    thresholds,
  )
  .map(([fields, watched, threshold]) => ({ ...fields, ...watched, ...threshold }) as Alert);

test('an untouched form changes nothing', () => {
  fc.assert(
    fc.property(alerts, (alert) => {
      expect(changeBetween(alertOf(formOf(alert)), alertOf(formOf(alert)))).toEqual({});
    }),
  );
});

test('an edited form changes only what was edited, into what the form says', () => {
  fc.assert(
    fc.property(alerts, alerts, (alert, other) => {
      const form = { ...formOf(alert), window: String(other.window_minutes), action: other.action };
      const change = changeBetween(alertOf(formOf(alert)), alertOf(form));
      expect({ ...alertOf(formOf(alert)), ...change }).toEqual(alertOf(form));
      expect(['window_minutes', 'action']).toEqual(expect.arrayContaining(Object.keys(change)));
    }),
  );
});

test('a threshold in percent is sent as a share, without the noise of binary fractions', () => {
  expect(alertOf({ ...NEW_ALERT, rate: '94.7' }).threshold).toBe(0.947);
  expect(formOf({ ...alertOf(NEW_ALERT), threshold: 0.947 } as Alert).rate).toBe('94.7');
});

test('a signal without a threshold sends none', () => {
  expect(alertOf({ ...NEW_ALERT, signal: 'log', count: '50' }).threshold).toBe(50);
  expect(alertOf({ ...NEW_ALERT, signal: 'silence' }).threshold).toBeNull();
});

test('an alert on a record names no plugin', () => {
  const form = { ...NEW_ALERT, plugin: '8' };
  expect(alertOf(form)).toMatchObject({ record: null, plugin: 8 });
  expect(alertOf({ ...form, record: '3' })).toMatchObject({ record: 3, plugin: null });
  expect(alertOf({ ...form, record: '3', signal: 'offline' })).toMatchObject({ record: null, plugin: 8 });
});

test('a preview needs no name', () => {
  expect(previewOf(NEW_ALERT)).not.toHaveProperty('name');
});

test('an alert about a family has no record, and can only notify', () => {
  const form = {
    ...NEW_ALERT,
    name: 'a',
    record: '3',
    signal: 'offline',
    online: '2',
    action: 'disable',
  } as const;
  expect(alertOf(form)).toMatchObject({ record: null, threshold: 2, action: 'notify' });
});

test('another family has other records, and maybe fewer signals', () => {
  const form = { ...NEW_ALERT, record: '3', signal: 'log' } as const;
  expect(withFamily(form, 'pipeline_transformation_configs')).toMatchObject({
    record: '',
    signal: 'delivery_rate',
  });
  const runtime = { ...form, signal: 'runtime' } as const;
  expect(withFamily(runtime, 'pipeline_transformation_configs').signal).toBe('runtime');
});
