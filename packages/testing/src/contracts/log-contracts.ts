import { deadLettersContract } from './dead-letters.contract.ts';
import { deadLetterStoreContract } from './dead-letter-store.contract.ts';
import { deadLetterWriterContract } from './dead-letter-writer.contract.ts';
import { deliveryRatesContract } from './delivery-rates.contract.ts';
import { deliverySeriesContract } from './delivery-series.contract.ts';
import { ingestContract } from './ingest.contract.ts';
import { interruptedBatchContract } from './interrupted-batch.contract.ts';
import { logAppendContract } from './log-append.contract.ts';
import { logSequenceContract } from './log-sequence.contract.ts';
import { logCountsContract } from './log-counts.contract.ts';
import { logEntryStoreContract } from './log-entry-store.contract.ts';
import { logKindsContract } from './log-kinds.contract.ts';
import { logPagesContract } from './log-pages.contract.ts';
import { logQuotasContract } from './log-quotas.contract.ts';
import { logStreamContract } from './log-stream.contract.ts';
import { logUpkeepContract } from './log-upkeep.contract.ts';
import { recordOwnersContract } from './record-owners.contract.ts';
import { reportStoreContract } from './report-store.contract.ts';
import { reportedErrorsContract } from './reported-errors.contract.ts';
import { retryDeadLettersContract } from './retry-dead-letters.contract.ts';
import type { LogPorts } from '../log-ports.ts';
import type { TestWith } from '../test-with.ts';

/** Contract suites of the log ports, run once per store of entries. */
export const LOG_CONTRACTS: Readonly<Record<string, (test: TestWith<LogPorts>) => void>> = {
  'dead letter store': deadLetterStoreContract,
  'dead letter writer': deadLetterWriterContract,
  'delivery rates': deliveryRatesContract,
  'deliveries over time': deliverySeriesContract,
  'ingesting messages': ingestContract,
  'dead letters of a batch': deadLettersContract,
  'retrying dead letters': retryDeadLettersContract,
  'an interrupted batch': interruptedBatchContract,
  'appending log entries': logAppendContract,
  'log sequence numbers': logSequenceContract,
  'log counts': logCountsContract,
  'log entry store': logEntryStoreContract,
  'log kinds': logKindsContract,
  'log pages': logPagesContract,
  'log quotas': logQuotasContract,
  'log streams': logStreamContract,
  'log upkeep': logUpkeepContract,
  'record owners': recordOwnersContract,
  'report store': reportStoreContract,
  'reported errors': reportedErrorsContract,
};
