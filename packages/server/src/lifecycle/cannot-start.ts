/** A permanent problem that a restart does not solve. Only its message is shown. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
