import { WEBHOOK_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(WEBHOOK_CONTRACTS);
