import { deadLetterStoreContract } from './contracts/dead-letter-store.contract.ts';
import { deliveryRatesContract } from './contracts/delivery-rates.contract.ts';
import { ingestContract } from './contracts/ingest.contract.ts';
import { ingestStoreContract } from './contracts/ingest-store.contract.ts';
import { logEntryStoreContract } from './contracts/log-entry-store.contract.ts';
import { logKindsContract } from './contracts/log-kinds.contract.ts';
import { logPagesContract } from './contracts/log-pages.contract.ts';
import { logUpkeepContract } from './contracts/log-upkeep.contract.ts';
import type { LogPorts } from './log-ports.ts';
import type { TestWith } from './test-with.ts';

/** What the adapters of the log side promise, suite by suite. */
export const LOG_CONTRACTS: Readonly<Record<string, (test: TestWith<LogPorts>) => void>> = {
  'dead letter store': deadLetterStoreContract,
  'delivery rates': deliveryRatesContract,
  'ingest store': ingestStoreContract,
  ingesting: ingestContract,
  'log entry store': logEntryStoreContract,
  'log kinds': logKindsContract,
  'log pages': logPagesContract,
  'log upkeep': logUpkeepContract,
};
