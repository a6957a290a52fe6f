import { keepsItsValue } from '@plugin-config/domain/exact-number';

/**
 * Parses JSON.
 * @throws SyntaxError if the text is not valid JSON, or a number would lose digits
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined && !keepsItsValue(context.source)) {
      throw new SyntaxError(
        `the number ${context.source} has too many digits; write it as a string, in quotes`,
      );
    }
    return value;
  });
}
