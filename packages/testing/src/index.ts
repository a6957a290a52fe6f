export type { Ports } from './ports.ts';
export type { RunPorts } from './run-ports.ts';
export type { TestWith } from './test-with.ts';

export { accessProbeContract } from './contracts/access-probe.contract.ts';
export { activityLogContract } from './contracts/activity-log.contract.ts';
export { apiKeyStoreContract } from './contracts/api-key-store.contract.ts';
export { configRecordStoreContract } from './contracts/config-record-store.contract.ts';
export { jobRunStoreContract } from './contracts/job-run-store.contract.ts';
export { jobStoreContract } from './contracts/job-store.contract.ts';
export { pluginStoreContract } from './contracts/plugin-store.contract.ts';
export { logSourceContract, type SentToSource } from './contracts/log-source.contract.ts';
export { projectStoreContract } from './contracts/project-store.contract.ts';
export { linesOf } from './contracts/lines-of.ts';
export { PORT_CONTRACTS } from './contracts/port-contracts.ts';
export { RUN_CONTRACTS } from './run-contracts.ts';
export { USE_CASE_CONTRACTS } from './use-cases/use-case-contracts.ts';

export { fixedClock } from './memory/fixed-clock.ts';
export { memoryAccessProbe } from './memory/memory-access-probe.ts';
export { memoryActivityLog } from './memory/memory-activity-log.ts';
export { memoryApiKeyStore } from './memory/memory-api-key-store.ts';
export { memoryConfigRecordStore } from './memory/memory-config-record-store.ts';
export { memoryDatabase, type MemoryDatabase } from './memory/memory-database.ts';
export { memoryJobRunStore } from './memory/memory-job-run-store.ts';
export { memoryJobStore } from './memory/memory-job-store.ts';
export { memoryPluginStore } from './memory/memory-plugin-store.ts';
export { memoryPorts } from './memory/memory-ports.ts';
export { memoryProjectStore } from './memory/memory-project-store.ts';
export { memoryRunPorts } from './memory/memory-run-ports.ts';
export { memorySecretBox } from './memory/memory-secret-box.ts';
export { memoryTokenHasher } from './memory/memory-token-hasher.ts';
export { seededRandomness } from './memory/seeded-randomness.ts';

export { aFamily } from './builders/a-family.ts';
export { aJob } from './builders/a-job.ts';
export { aPlugin } from './builders/a-plugin.ts';
export { aRecord } from './builders/a-record.ts';
export { aRecordDraft } from './builders/a-record-draft.ts';
export { aRecordWrite } from './builders/a-record-write.ts';
export { aSettlement } from './builders/a-settlement.ts';
export { aKeyHash, anApiKey } from './builders/an-api-key.ts';
export { MOMENT, anAuthor, secondsLater } from './builders/an-author.ts';

export type { LogPorts } from './log-ports.ts';
export { LOG_CONTRACTS } from './log-contracts.ts';
export { memoryLogPorts } from './memory/memory-log-ports.ts';
export { aDeadMessage, aDelivery, anEntry, anErrorReport, anOrigin } from './builders/an-ingest-message.ts';
