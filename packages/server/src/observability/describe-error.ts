const CAUSES_MAX = 5;

interface DescribedError {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** The fields of an error for the log. Leaves out other properties: drivers store query parameters there. */
export function describeError(error: unknown, causes = CAUSES_MAX): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    ...('code' in error && { code: error.code }),
    message,
    stack,
    ...(cause !== undefined && causes > 0 && { cause: describeError(cause, causes - 1) }),
  };
}
