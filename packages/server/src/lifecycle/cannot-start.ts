/** A permanent reason not to start: no restart helps. Only its message is shown. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
