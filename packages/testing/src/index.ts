export type { Ports } from './ports.ts';
export type { LogPorts } from './log-ports.ts';
export type { TestWith } from './test-with.ts';
export { storeEntries } from './store-entries.ts';

export {
  ACCESS_CONTRACTS,
  ALERT_CONTRACTS,
  INGESTION_CONTRACTS,
  JOB_CONTRACTS,
  LOG_CONTRACTS,
  LOG_ENTRY_CONTRACTS,
  RECORD_CONTRACTS,
  TASK_CONTRACTS,
  WEBHOOK_CONTRACTS,
  type Contracts,
} from './contracts/contracts.ts';
export { logSourceContract, type SentToSource } from './contracts/log-source.contract.ts';
export { wakeUpsContract, type WakeUpPorts } from './contracts/wake-ups.contract.ts';

export { countsInMemory } from './contracts/counts-in-memory.ts';
export { claimJob, JOB_LEASE_MS } from './contracts/claim-job.ts';
export {
  createOnce,
  once,
  queueOnce,
  restoreOnce,
  type KeyedJob,
  type KeyOf,
  type Once,
} from './contracts/once.ts';
export { EVERY } from './contracts/log-of.ts';
export { streaming } from './contracts/log-streaming.ts';
export { countersOf, historyOf, liveRecords } from './contracts/read-state.ts';
export { seededPick } from './contracts/seeded-pick.ts';

export { anAlert, anAlertRule } from './builders/an-alert.ts';
export { evaluateAt, incidentsOf } from './contracts/evaluate-at.ts';
export { aFamily } from './builders/a-family.ts';
export { aHostReport } from './builders/a-host-report.ts';
export { aJob } from './builders/a-job.ts';
export { expectGuarantees, expectResumable } from './contracts/stream-guarantees.ts';
export { aLogEntry } from './builders/a-log-entry.ts';
export { allPlugins, aPlugin, aVersion } from './builders/a-plugin.ts';
export { anIssue, type KeyOrder } from './builders/an-issue.ts';
export { aKeyHash, anApiKey } from './builders/an-api-key.ts';
export { MOMENT, anAuthor, secondsLater } from './builders/an-author.ts';
export { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from './builders/an-ingest-message.ts';
export { aRecord, aRecordDraft, mustStore } from './builders/a-record.ts';
export { aRecordWrite } from './builders/a-record-write.ts';
export { aRuntimeReport } from './builders/a-runtime-report.ts';
export { aSettlement } from './builders/a-settlement.ts';
export { aTrust } from './builders/a-trust.ts';
export { aSignIn, aUser } from './builders/a-user.ts';
export { aWebhook, someWebhookSettings } from './builders/a-webhook.ts';
export { seededRandomness } from './builders/seeded-randomness.ts';
