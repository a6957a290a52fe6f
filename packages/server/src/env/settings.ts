import * as z from 'zod';
import { CannotStart } from '../lifecycle/cannot-start.ts';

/** How an environment variable is parsed, and a description of valid values for the error message. */
export interface Setting<S extends z.ZodType> {
  readonly schema: S;
  readonly expected: string;
}

type Settings = Readonly<Record<string, Setting<z.ZodType>>>;

export type EnvOf<S extends Settings> = { readonly [N in keyof S]: z.output<S[N]['schema']> };

export const setting = <S extends z.ZodType>(schema: S, expected: string): Setting<S> => ({
  schema,
  expected,
});

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const yesOrNo = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1');

/** A list, which is empty by default. */
export const commaSeparated = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );

/**
 * Reads all settings from the environment. An empty variable counts as not set.
 * @throws CannotStart if a setting is invalid or missing
 */
export function readSettings<S extends Settings>(
  settings: S,
  variables: Readonly<Record<string, string | undefined>>,
): EnvOf<S> {
  const entries = Object.entries(settings).map(([name, { schema, expected }]) => {
    const value = variables[name] || undefined;
    const result = schema.safeParse(value);
    if (!result.success) {
      const wrong = result.error.issues.find(({ path }) => path.length > 0);
      const where = wrong === undefined ? '' : ` At ${wrong.path.join('.')}: ${wrong.message}.`;
      const problem = value === undefined ? 'Missing' : 'Invalid';
      throw new CannotStart(`${problem} ${name}: expected ${expected}.${where}`);
    }
    return [name, result.data];
  });
  return Object.fromEntries(entries) as EnvOf<S>;
}
