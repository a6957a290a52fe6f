export { openRuntime } from './open-runtime.ts';
export type { CurrentConfiguration, PluginRuntime, RuntimeOptions } from './plugin-runtime.ts';
export { PluginConfigError, type ClientErrorCode } from '../http/error.ts';
export type {
  ErrorCode,
  ErrorType,
  FailedRecord,
  Family,
  Json,
  JsonObject,
  OneError,
  RuntimeConfiguration,
  RuntimeRecord,
} from '../wire.ts';
