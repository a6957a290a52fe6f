import type { FieldError } from '@plugin-config/domain/vocabulary';

/** The first error of a request; `detail` says what is required. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: FieldError;
  readonly detail: string;
  /** The field or parameter that caused the error; nested fields are joined with dots. */
  readonly attr: string | null;

  constructor(code: FieldError, detail: string, attr: string | null) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.attr = attr;
  }
}
