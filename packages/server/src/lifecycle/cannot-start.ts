/** The process cannot run like this, however often it is tried; its message is all that there is to say. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
