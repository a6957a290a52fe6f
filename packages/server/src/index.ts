export { accessOf, accountOf, deadlineOf } from './access/access.ts';
export { guardRequests, type Guard, type RequestSession } from './access/guard.ts';
export { rateLimiter } from './access/rate-limiter.ts';
export { acceptedEncoding, ENCODINGS, type Encoding } from './responses/accepted-encoding.ts';
export { compress, COMPRESSED_MIN_BYTES } from './responses/compress.ts';
export { jsonInSlices } from './responses/json-in-slices.ts';
export { sendRead, sendReadBody, varyByEncoding } from './responses/send-read.ts';
export {
  reserveIfLarge,
  JSON_UTF8,
  jsonBytes,
  sendBody,
  sendJson,
  sendNothing,
  sendReservedJson,
  textIfShort,
  type TypedBody,
} from './responses/send-json.ts';
export {
  COMMON_SETTINGS,
  hostSetting,
  logQuotaIn,
  originsSetting,
  portSetting,
} from './env/common-settings.ts';
export { readSettings, setting, wholeNumber, yesOrNo, type EnvOf } from './env/settings.ts';
export {
  endpointNotFound,
  HttpProblem,
  invalidRequest,
  parseError,
  payloadTooLarge,
  type Problem,
  unsupportedMediaType,
} from './errors/http-problem.ts';
export { trackMethods } from './errors/reject-other-methods.ts';
export {
  leaveGate,
  openGate,
  parseInTurn,
  passGate,
  readPart,
  withPermit,
  type Gate,
  type Work,
} from './gate/gate.ts';
export { REQUEST_BYTES, takeMemory } from './gate/memory.ts';
export { openThread } from './gate/open-thread.ts';
export { databaseReadiness } from './health/database-readiness.ts';
export { healthRoutes, type Readiness } from './health/health.routes.ts';
export { CannotStart } from './lifecycle/cannot-start.ts';
export { gracefulShutdown } from './lifecycle/graceful-shutdown.ts';
export { listen } from './lifecycle/listen.ts';
export { openDatabases, type Databases } from './lifecycle/open-databases.ts';
export { readOptions, VERSION } from './lifecycle/read-options.ts';
export { checkBeforeStart, checkServices } from './lifecycle/check-before-start.ts';
export { stopSignal } from './lifecycle/stop-signal.ts';
export { collectedMetrics } from './observability/collected-metrics.ts';
export {
  processMetrics,
  type MeasuredDatabase,
  type MeasuredProcess,
} from './observability/process-metrics.ts';
export { logFailure, reasonOf } from './observability/log-failure.ts';
export { structuredLogger } from './observability/logger.ts';
export { openLog } from './observability/open-log.ts';
export { observeRequests } from './observability/observe-requests.ts';
export { traceProcess } from './observability/trace-process.ts';
export { endSpanOf } from './observability/observe-requests.ts';
export { CALLER_TIMEOUTS, openServer, type CallerTimeouts } from './open-server.ts';
export { hangUpSignal } from './requests/hang-up.ts';
export { bodyIncomplete, hasBody, isUtf8, readBody, type BodyLimits } from './requests/read-body.ts';
export { pathOf, queryOf } from './requests/request-head.ts';
export { addressesSetting, WEBHOOK_SETTINGS } from './env/webhook-settings.ts';
export { addressRulesIn, issuerRulesIn } from './webhooks/address-rules.ts';
export { failure, type FailureCode } from './webhooks/failure.ts';
export { guardedLookup, type ResolveName } from './webhooks/guarded-lookup.ts';
export { guardedRequests, type RequestRules } from './webhooks/guarded-requests.ts';
