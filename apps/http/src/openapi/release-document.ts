import { writeFileSync } from 'node:fs';
import { openapiDocument } from './document.ts';

/** The document of the last release; a test rejects changes that break its clients. */
export const RELEASED = new URL('../../../../docs/openapi.released.json', import.meta.url);

if (import.meta.main) {
  writeFileSync(RELEASED, `${JSON.stringify(openapiDocument({ publicUrl: null }), null, 2)}\n`);
}
