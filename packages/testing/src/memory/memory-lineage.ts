/** Memory loses no commits, so it has one lineage. */
export const MEMORY_LINEAGE = 'memory';
