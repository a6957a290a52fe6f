import { ACCESS_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(ACCESS_CONTRACTS);
