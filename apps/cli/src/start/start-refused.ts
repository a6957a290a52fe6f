/** Why nothing runs, in words for the person who started it. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
