import { keyIdOf } from '@plugin-config/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { databaseOfFile } from '../testing/database-of-file.ts';
import { writeSecrets } from './sealed-secrets.ts';

const withEmptied = databaseOfFile();

const sealed = fc
  .tuple(fc.constantFrom('k1', 'k2', 'key-3', ''), fc.constantFrom('', '.', '.a', '.a.b'))
  .map((parts) => parts.join(''));

test('the index of keys has the ids that the domain reads from sealed texts', () =>
  withEmptied(({ pool }) =>
    fc.assert(
      fc.asyncProperty(fc.array(sealed, { minLength: 1, maxLength: 6 }), async (texts) => {
        const secrets = writeSecrets(new Map(texts.map((text, i) => [String(i), text])));
        const { rows } = await pool.query('select secret_keys($1::json) as keys', [secrets]);
        expect(rows).toEqual([{ keys: [...new Set(texts.map(keyIdOf))].toSorted().join(',') }]);
      }),
    ),
  ));
