type Scalar = string | number | boolean | null;

/** What a statement may be given. */
export type Parameter = Scalar | readonly Scalar[];

const SPECIAL = /["\\]/g;

/** A parameter as the server reads it: the literal of an array, and a text as it is. */
export function parameterText(parameter: Parameter): string | null {
  if (parameter === null || typeof parameter === 'string') return parameter;
  return typeof parameter === 'object' ? `{${parameter.map(elementText).join(',')}}` : String(parameter);
}

/** A bare `null` is none; the word stands in quotes, as all texts do. */
function elementText(element: Scalar): string {
  return typeof element === 'string' ? `"${element.replace(SPECIAL, String.raw`\$&`)}"` : String(element);
}
