import type { Endpoint } from '@plugin-config/contract';
import { FAMILIES, FAMILY, type Family } from '@plugin-config/domain';

/** Returns the families that have the endpoint, or `[null]` if its path has no family. */
export function familiesOf({ path, needsLog }: Endpoint): readonly (Family | null)[] {
  if (!path.includes(':family')) return [null];
  return FAMILIES.filter((family) => needsLog !== true || FAMILY[family].hasLog);
}
