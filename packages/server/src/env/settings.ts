import * as z from 'zod';
import { CannotStart } from '../lifecycle/cannot-start.ts';
import { REMOVED_SETTINGS } from './removed-settings.ts';

/** How an environment variable is parsed, and which values it takes, for the error message. */
export interface Setting<S extends z.ZodType> {
  readonly schema: S;
  readonly takes: string;
}

type Settings = Readonly<Record<string, Setting<z.ZodType>>>;

export type EnvOf<S extends Settings> = { readonly [N in keyof S]: z.output<S[N]['schema']> };

export const setting = <S extends z.ZodType>(schema: S, takes: string): Setting<S> => ({ schema, takes });

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const yesOrNo = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1');

/**
 * Reads all settings from the environment. An empty variable counts as not set.
 * @throws CannotStart if a setting does not take its value, or has been removed
 */
export function readSettings<S extends Settings>(
  settings: S,
  variables: Readonly<Record<string, string | undefined>>,
): EnvOf<S> {
  for (const [name, instead] of Object.entries(REMOVED_SETTINGS)) {
    if (variables[name]) throw new CannotStart(`${name} was removed: ${instead}`);
  }
  const entries = Object.entries(settings).map(([name, { schema, takes }]) => {
    const read = schema.safeParse(variables[name] || undefined);
    if (!read.success) throw new CannotStart(`${name} takes ${takes}.`);
    return [name, read.data];
  });
  return Object.fromEntries(entries) as EnvOf<S>;
}
