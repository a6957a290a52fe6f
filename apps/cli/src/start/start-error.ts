/** A reason not to start, in words for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
