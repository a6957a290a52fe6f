import { DomainError } from '../kernel/domain-error.ts';

const ERRORS_MAX = 100;
const ERRORS_MAX_CHARACTERS = 16 * 1024;

/**
 * Runs all checks.
 * @throws DomainError the first error, with all errors up to the limits, so a form can show each at its field
 */
export function rejectEach(checks: readonly (() => void)[]): void {
  const errors: DomainError[] = [];
  let characters = 0;
  for (const check of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(...(error.errors ?? [error]));
      characters += error.message.length;
      if (errors.length >= ERRORS_MAX || characters > ERRORS_MAX_CHARACTERS) break;
    }
  }
  const [first] = errors;
  if (first === undefined) return;
  const { code, message, attr } = first;
  throw new DomainError(code, message, { ...(attr !== null && { attr }), errors });
}

/** @throws DomainError the first error, with all errors, if there are any */
export function rejectAll(errors: readonly DomainError[]): void {
  rejectEach(
    errors.map((error) => () => {
      throw error;
    }),
  );
}
