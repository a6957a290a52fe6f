const CAUSES_MAX = 5;

interface DescribedError {
  readonly type: string;
  readonly code?: unknown;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: DescribedError;
}

/** An error as the log tells it: none of the other properties, where drivers keep what they were given. */
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
