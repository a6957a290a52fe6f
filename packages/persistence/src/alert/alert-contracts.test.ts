import { ALERT_CONTRACTS } from '@plugin-config/testing';
import { runContracts } from '../testing/run-contracts.ts';

runContracts(ALERT_CONTRACTS);
