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
export {
  RetryLater,
  type CheckHandler,
  type CheckOutcome,
  type JobHandler,
  type JobHandlers,
  type JobRunner,
  type JobsOptions,
  type RunningJob,
} from './plugin-job.ts';
export { PluginConfigError, type ClientErrorCode } from '../http/error.ts';
export type {
  ClaimedJob,
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
