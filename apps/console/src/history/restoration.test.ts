import type { Json } from '@plugin-config/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSame } from '../editing/field.ts';
import { revisionChanges, currentValue } from './restoration.ts';

const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer())) as fc.Arbitrary<Json>;
const key = fc.constantFrom('a', 'b', 'c');
const config = fc.dictionary(key, value).map((entries) => JSON.stringify(entries));
const text = fc.option(fc.string());
const record = fc.record({ name: text, description: text, enabled: fc.boolean(), config });

test('restoring a revision changes the fields that differ from it, except secrets', () => {
  fc.assert(
    fc.property(record, record, fc.constantFrom('a', 'd'), (now, then, secret) => {
      const changes = revisionChanges(now, then, new Set([secret]));
      const fields = ['name', 'description', 'config.a', 'config.b', 'config.c'].filter(
        (field) =>
          field !== `config.${secret}` && !isSame(currentValue(now, field), currentValue(then, field)),
      );
      const expected = fields.map((field) => ({
        field,
        before: currentValue(now, field),
        after: currentValue(then, field),
      }));
      expect(changes.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual(
        expected.toSorted((a, b) => (a.field < b.field ? -1 : 1)),
      );
      expect(changes.some(({ field }) => field === `config.${secret}`)).toBe(false);
    }),
  );
});
