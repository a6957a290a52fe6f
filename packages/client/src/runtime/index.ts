export { openRuntime } from './open-runtime.ts';
export type {
  Changed,
  CurrentConfiguration,
  LazyProjectsRuntime,
  PluginRuntime,
  ProjectConfiguration,
  ProjectId,
  ProjectsRuntime,
  ProjectsRuntimeOptions,
  ProjectVersion,
  RuntimeOptions,
  SecretsOptions,
} from './plugin-runtime.ts';
export { PluginConfigError, type ClientErrorCode } from '../http/error.ts';
export type {
  ErrorCode,
  ErrorType,
  FailedProjectRecord,
  FailedRecord,
  Family,
  Json,
  JsonObject,
  OneError,
  RuntimeConfiguration,
  RuntimeRecord,
} from '../wire.ts';
