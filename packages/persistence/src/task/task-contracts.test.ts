import { TASK_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(TASK_CONTRACTS);
