import type {
  DeadLetterStore,
  DeliveryRates,
  IngestionStores,
  LogEntryStore,
  LogUpkeep,
} from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** Every port of the log side, and those of the configuration side, on one and the same store. */
export interface LogPorts extends Ports {
  readonly stores: IngestionStores;
  readonly logs: LogEntryStore;
  readonly upkeep: LogUpkeep;
  readonly letters: DeadLetterStore;
  readonly rates: DeliveryRates;
}
