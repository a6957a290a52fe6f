/** A reason not to start, in words for the operator. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
