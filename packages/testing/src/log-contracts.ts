import { deadLettersContract } from './contracts/dead-letters.contract.ts';
import { deadLetterStoreContract } from './contracts/dead-letter-store.contract.ts';
import { deadLetterWriterContract } from './contracts/dead-letter-writer.contract.ts';
import { deliveryRatesContract } from './contracts/delivery-rates.contract.ts';
import { deliverySeriesContract } from './contracts/delivery-series.contract.ts';
import { ingestContract } from './contracts/ingest.contract.ts';
import { interruptedBatchContract } from './contracts/interrupted-batch.contract.ts';
import { logAppendContract } from './contracts/log-append.contract.ts';
import { logArrivalsContract } from './contracts/log-arrivals.contract.ts';
import { logEntryStoreContract } from './contracts/log-entry-store.contract.ts';
import { logKindsContract } from './contracts/log-kinds.contract.ts';
import { logPagesContract } from './contracts/log-pages.contract.ts';
import { logStreamContract } from './contracts/log-stream.contract.ts';
import { logUpkeepContract } from './contracts/log-upkeep.contract.ts';
import { recordOwnersContract } from './contracts/record-owners.contract.ts';
import { reportStoreContract } from './contracts/report-store.contract.ts';
import { reportedErrorsContract } from './contracts/reported-errors.contract.ts';
import { retryDeadLettersContract } from './contracts/retry-dead-letters.contract.ts';
import type { LogPorts } from './log-ports.ts';
import type { TestWith } from './test-with.ts';

/** Contract suites of the log ports. */
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
  'log arrivals': logArrivalsContract,
  'log entry store': logEntryStoreContract,
  'log kinds': logKindsContract,
  'log pages': logPagesContract,
  'log streams': logStreamContract,
  'log upkeep': logUpkeepContract,
  'record owners': recordOwnersContract,
  'report store': reportStoreContract,
  'reported errors': reportedErrorsContract,
};
