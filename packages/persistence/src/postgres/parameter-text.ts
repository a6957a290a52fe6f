type Scalar = string | number | boolean | null;

/** A parameter of a statement. */
export type Parameter = Scalar | readonly Scalar[];

const SPECIAL = /["\\]/g;

/** The text of a parameter for the server: an array becomes a literal, a text stays as it is. */
export function parameterText(parameter: Parameter): string | null {
  if (parameter === null || typeof parameter === 'string') return parameter;
  return typeof parameter === 'object' ? `{${parameter.map(elementText).join(',')}}` : String(parameter);
}

/** Quotes a text, so that the word `null` does not become a null. */
function elementText(element: Scalar): string {
  return typeof element === 'string' ? `"${element.replace(SPECIAL, String.raw`\$&`)}"` : String(element);
}
