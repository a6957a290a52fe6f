export const WIRE_ERROR_CODES = [
  'required',
  'null',
  'blank',
  'invalid_input',
  'max_length',
  'min_value',
  'max_value',
] as const;

export type WireErrorCode = (typeof WIRE_ERROR_CODES)[number];

/** The first error of a request; `detail` says what is required. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: WireErrorCode;
  readonly detail: string;
  /** The field or parameter that caused the error; nested fields are joined with dots. */
  readonly attr: string | null;

  constructor(code: WireErrorCode, detail: string, attr: string | null) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.attr = attr;
  }
}
