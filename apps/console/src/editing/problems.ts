import { ENTRY } from '../record/changes.ts';
import { errorsOf, type FieldError } from '../ui/error-text.ts';
import { OTHERS, type Form } from './field.ts';

/** What is wrong with the input, by field name. */
export type Problems = ReadonlyMap<string, string>;

/** Returns the errors of a response by field name. */
export const problemsOf = (error: Error, form: Form): Problems => problemsIn(errorsOf(error), form);

export function problemsIn(errors: readonly FieldError[], form: Form): Problems {
  const found = errors.flatMap(({ attr, detail }) => {
    const name = fieldOf(attr, form);
    return name === null ? [] : [[name, name === OTHERS ? `"${attr}": ${detail}` : detail] as const];
  });
  // Reversed, so the first error of a field wins.
  return new Map(found.toReversed());
}

/** Whether a response has errors that belong to no field. */
export const hasOtherErrors = (error: Error, form: Form): boolean =>
  otherErrors(errorsOf(error), form).length > 0;

export const otherErrors = (errors: readonly FieldError[], form: Form): readonly FieldError[] =>
  errors.filter(({ attr }) => fieldOf(attr, form) === null);

/** Returns the field of the form that an error belongs to. */
function fieldOf(attr: string | null, { fields, others }: Form): string | null {
  if (attr === null) return null;
  const field = [ENTRY + attr, attr].find((name) => fields.some((one) => one.name === name));
  return field ?? (others !== null && attr !== OTHERS ? OTHERS : null);
}
