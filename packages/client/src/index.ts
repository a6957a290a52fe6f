export {
  pluginConfigClient,
  type ClientOptions,
  type PluginConfigClient,
  type ProjectClient,
} from './client.ts';
export { type ConfigRecords, type PluginConfigs, type QueuedJob } from './records/config-records.ts';
export type { ChangeOf } from './records/update-until-current.ts';
export { type Listing } from './calls/listing.ts';
export type {
  ChangeOptions,
  IdempotencyOptions,
  ReadOptions,
  RequestOptions,
  WriteOptions,
} from './calls/call.ts';
export type { RequestParts } from './calls/request.ts';
export { familyVersionOf, headersOf, tagOf } from './calls/tags.ts';
export { PluginConfigError, type ClientErrorCode } from './http/error.ts';
export type { RetryPolicy } from './http/retry.ts';
export type { StreamOptions } from './streams/event-stream.ts';
export { logSender, type LogSender, type LogSenderOptions, type SendOptions } from './sender/log-sender.ts';
export type { Logger, LoggerFields } from './sender/logger.ts';
export type { Message } from './sender/line.ts';

export type * from './wire.ts';
