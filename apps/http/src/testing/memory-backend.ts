import { memoryPorts, memorySecretBox, memoryTokenHasher, seededRandomness } from '@plugin-config/testing';
export async function openBackend() {
  const ports = {
    ...memoryPorts(),
    hasher: memoryTokenHasher(),
    secretBox: memorySecretBox(),
    randomness: seededRandomness(),
    clock: { now: () => new Date() },
    logEntries: {
      append: async () => ({ stored: 0, duplicates: 0 }),
      page: async () => ({ count: 0, items: [] }),
    },
  };
  return { ports, statements: [] as string[], close: async () => {} };
}
