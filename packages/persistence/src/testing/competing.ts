import type { ConfigRecordStore } from '@plugin-config/domain';

/** Runs `compete` before each of the first saves, like a faster concurrent writer. */
export function competing(
  records: ConfigRecordStore,
  compete: () => Promise<unknown>,
  times = 1,
): ConfigRecordStore {
  let left = times;
  return {
    ...records,
    save: async (write) => {
      if (left-- > 0) await compete();
      return records.save(write);
    },
  };
}
