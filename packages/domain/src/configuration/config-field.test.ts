import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import { TYPE_SCHEMAS } from './configuration.fixture.ts';
import { checkValue, type ConfigField } from './config-field.ts';
import { FIELD_TYPES, type FieldType } from '../vocabulary/vocabulary.ts';

const CHOICES = ['a', 'b "quoted"'];

const VALUES: readonly { readonly value: Json; readonly fits: readonly FieldType[] }[] = [
  { value: 'text', fits: ['string', 'json'] },
  { value: '', fits: ['string', 'json'] },
  { value: '5', fits: ['string', 'json'] },
  { value: 'a', fits: ['string', 'choice', 'json'] },
  { value: 5, fits: ['number', 'json'] },
  { value: -0.5, fits: ['number', 'json'] },
  { value: true, fits: ['boolean', 'json'] },
  { value: null, fits: ['json'] },
  { value: ['a'], fits: ['json'] },
  { value: { a: 1 }, fits: ['json'] },
];

for (const { value, fits } of VALUES) {
  test(`${JSON.stringify(value)} is only valid as ${fits.join(', ')}`, () => {
    const fitting = FIELD_TYPES.filter((type) => isFine({ key: 'key', type, choices: CHOICES }, value));
    expect(fitting.toSorted()).toEqual(fits.toSorted());
  });
}

describe('an invalid value is rejected', () => {
  const rejections = [
    { type: 'number', value: '5', code: 'invalid_input', message: 'A valid number is required.' },
    { type: 'boolean', value: 'true', code: 'invalid_input', message: 'A valid boolean is required.' },
    { type: 'string', value: null, code: 'null', message: 'This field may not be null.' },
    {
      type: 'choice',
      value: 'c',
      code: 'invalid_input',
      message: String.raw`Not a valid choice. Valid choices: "a", "b \"quoted\"".`,
    },
  ] as const;
  for (const { type, value, code, message } of rejections) {
    test(`${JSON.stringify(value)} as ${type}, naming the key`, () => {
      const rejection = expect.objectContaining({ code, message, attr: 'key' });
      expect(() => checkValue(TYPE_SCHEMAS, { key: 'key', type, choices: CHOICES }, value)).toThrow(
        rejection,
      );
    });
  }
});

function isFine(field: ConfigField, value: Json): boolean {
  try {
    checkValue(TYPE_SCHEMAS, field, value);
    return true;
  } catch {
    return false;
  }
}
