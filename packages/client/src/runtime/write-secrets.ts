import { isDeepStrictEqual } from 'node:util';
import { PluginConfigError } from '../http/error.ts';
import { pauseMs, sleep, type Pauses } from '../http/retry.ts';
import type { JsonObject, RuntimeRecord, WrittenBack } from '../wire.ts';
import { isTemporary } from './connection.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { SecretsOptions } from './plugin-runtime.ts';

export interface Write {
  readonly record: RuntimeRecord;
  readonly secrets: JsonObject;
  /** Sends the secrets once. */
  readonly send: (record: RuntimeRecord) => Promise<WrittenBack>;
  /** Reads the record; null if it is not enabled any more. */
  readonly read: () => Promise<RuntimeRecord | null>;
  /** Called with the stored record before the next response of the feed is processed. */
  readonly onStored: (stored: RuntimeRecord, versions: WrittenBack) => void;
}

/** Writes secrets back. */
export interface SecretsWriter {
  write(write: Write, options?: SecretsOptions): Promise<RuntimeRecord>;
  /** Resolves when no request is under way, so that the feed does not present what was written as a change. */
  settled(): Promise<void>;
}

interface Dependencies {
  readonly pauses: Pauses;
  /** Aborted when the runtime ends. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export function secretsWriter({ pauses, signal: ending, onError }: Dependencies): SecretsWriter {
  const underWay = new Set<Promise<unknown>>();

  const attempt = async (
    { secrets, send, onStored }: Write,
    record: RuntimeRecord,
  ): Promise<RuntimeRecord> => {
    const versions = await send(record);
    const config = Object.entries({ ...record.config, ...secrets }).filter(([, value]) => isSet(value));
    const stored = { ...record, config_version: versions.config_version, config: Object.fromEntries(config) };
    onStored(deepFreeze(stored), versions);
    return stored;
  };

  return {
    async write(write, { overwrite = false, signal: given } = {}) {
      const signal = given === undefined ? ending : AbortSignal.any([ending, given]);
      let { record } = write;
      for (let failures = 0; ;) {
        signal.throwIfAborted();
        const sending = attempt(write, record);
        underWay.add(sending);
        try {
          return await sending;
        } catch (error) {
          underWay.delete(sending);
          if (!(error instanceof PluginConfigError)) throw error;
          const current = error.status === 412 ? await write.read().catch(ignore) : null;
          if (current !== null && hasAll(current, write.secrets)) return current;
          if (current !== null && overwrite) record = current;
          else if (isTemporary(error)) {
            onError(error);
            await sleep(pauseMs(error, ++failures, pauses), signal);
          } else throw error;
        } finally {
          underWay.delete(sending);
        }
      }
    },
    async settled() {
      await Promise.allSettled(underWay);
    },
  };
}

const isSet = (value: unknown): boolean => value !== null && value !== '';

/** The write is then rejected with its own error. */
const ignore = (): null => null;

/** Returns whether a record has all these values: an earlier attempt, whose response was lost, has stored them. */
function hasAll({ config }: RuntimeRecord, secrets: JsonObject): boolean {
  return Object.entries(secrets).every(([key, value]) =>
    isSet(value) ? isDeepStrictEqual(config[key], value) : !isSet(config[key] ?? null),
  );
}
