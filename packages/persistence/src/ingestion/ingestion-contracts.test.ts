import { INGESTION_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(INGESTION_CONTRACTS);
