export { openRuntime } from './open-runtime.ts';
export type { CurrentConfiguration, PluginRuntime, RuntimeOptions } from './plugin-runtime.ts';
export { PluginConfigError, type ClientErrorCode } from '../http/error.ts';
export type { ErrorCode, ErrorType, OneError } from '../wire/error.ts';
export type { Family } from '../wire/family.ts';
export type { Json, JsonObject } from '../wire/json.ts';
export type { FailedRecord, RuntimeConfiguration, RuntimeRecord } from '../wire/runtime.ts';
