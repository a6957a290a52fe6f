import { LOG_ENTRY_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(LOG_ENTRY_CONTRACTS);
