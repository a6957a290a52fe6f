import type {
  DeadLetterStore,
  DeliveryRates,
  IngestionStores,
  LogEntryStore,
  LogUpkeep,
} from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** All ports of logs and of configurations, on one store. */
export interface LogPorts extends Ports {
  readonly stores: IngestionStores;
  readonly logs: LogEntryStore;
  readonly upkeep: LogUpkeep;
  readonly letters: DeadLetterStore;
  readonly rates: DeliveryRates;
}
