/** A reason not to start, with a message for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
