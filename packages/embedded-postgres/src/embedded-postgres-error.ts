/** Says, in words for the person who started it, why the embedded database cannot run. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
