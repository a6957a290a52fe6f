import { ENTRY } from '../record/changes.ts';
import { errorsOf, type FieldError } from '../ui/error-text.ts';
import { OTHERS, type Form } from './field.ts';

/** What is wrong with the input, by the name of the field and the path within its value. */
export type Problems = ReadonlyMap<string, string>;

/** Returns the errors of a response by field name. */
export const problemsOf = (error: Error, form: Form): Problems => problemsIn(errorsOf(error), form);

export function problemsIn(errors: readonly FieldError[], form: Form): Problems {
  const found = errors.flatMap(({ attr, detail }) => {
    const name = placeOf(attr, form);
    return name === null ? [] : [[name, name === OTHERS ? `"${attr}": ${detail}` : detail] as const];
  });
  // Reversed, so the first error of a place wins.
  return new Map(found.toReversed());
}

/** Whether a place is a value, or within it. */
export const isWithin = (place: string, name: string): boolean =>
  place === name || place.startsWith(`${name}.`);

/** Returns the first problem with a value or what is in it, except in parts that show theirs. */
export function problemAt(
  problems: Problems,
  name: string,
  parts: readonly string[] = [],
): string | undefined {
  const found = [...problems].find(
    ([place]) => isWithin(place, name) && !parts.some((part) => isWithin(place, part)),
  );
  if (found === undefined) return undefined;
  const [place, problem] = found;
  return place === name ? problem : `${place.slice(name.length + 1)}: ${problem}`;
}

/** Whether a response has errors that belong to no field. */
export const hasOtherErrors = (error: Error, form: Form): boolean =>
  otherErrors(errorsOf(error), form).length > 0;

export const otherErrors = (errors: readonly FieldError[], form: Form): readonly FieldError[] =>
  errors.filter(({ attr }) => placeOf(attr, form) === null);

/** Returns the name of the field of the form that an error belongs to, with the path within its value. */
function placeOf(attr: string | null, { fields, others }: Form): string | null {
  if (attr === null) return null;
  for (const place of [ENTRY + attr, attr])
    if (fields.some(({ name, type }) => (type === 'json' ? isWithin(place, name) : place === name)))
      return place;
  return others !== null && attr !== OTHERS ? OTHERS : null;
}
