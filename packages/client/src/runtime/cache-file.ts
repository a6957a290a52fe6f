import type { RuntimeConfiguration } from '../wire.ts';
import type { Cache, Cached } from './cache.ts';
import { deepFreeze } from './deep-freeze.ts';
import { encryptedFile, type FileOwner } from './encrypted-file.ts';

/** A file with the last good configuration. Several runtimes can share it. */
export function cacheFile(path: string, owner: FileOwner): Cache<RuntimeConfiguration> {
  const file = encryptedFile(path, owner);
  let stored: RuntimeConfiguration | null = null;

  return {
    async load(): Promise<Cached<RuntimeConfiguration> | null> {
      const contents = await file.read();
      if (contents === null) return null;
      const [text = '', ...more] = contents.texts;
      if (!contents.isWhole || more.length > 0) throw file.ignored('it is damaged');
      stored = deepFreeze(JSON.parse(text) as RuntimeConfiguration);
      return { state: stored, ageMs: contents.ageMs };
    },

    async store(configuration) {
      const isStored = configuration === stored;
      stored = null;
      // The file was last modified when the configuration was last confirmed.
      if (!isStored || !(await file.touch())) await file.replace([JSON.stringify(configuration)]);
      stored = configuration;
    },

    remove: file.remove,
  };
}
