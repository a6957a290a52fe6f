/** A problem that a restart cannot fix. Only its message is shown. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
