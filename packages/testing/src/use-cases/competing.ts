import type { ConfigRecordStore } from '@plugin-config/domain';

/** Somebody else is faster: what they do is done before each of the first saves. */
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
