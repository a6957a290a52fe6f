import type {
  DeadLetterStore,
  DeliveryRates,
  DeliverySeries,
  IngestionStores,
  LogArrivals,
  LogEntryStore,
  LogUpkeep,
  ReportedErrors,
  Retention,
  WakeUps,
} from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** All ports of logs and of configurations, on one store. */
export interface LogPorts extends Ports {
  readonly stores: IngestionStores;
  readonly logs: LogEntryStore;
  readonly upkeep: LogUpkeep;
  readonly arrivals: LogArrivals;
  readonly retention: Pick<Retention, 'arrivals' | 'followedLogs' | 'deliveryMinutes' | 'deliveryDays'>;
  readonly wakeUps: WakeUps;
  readonly letters: DeadLetterStore;
  readonly rates: DeliveryRates;
  readonly deliveries: DeliverySeries;
  readonly errors: ReportedErrors;
  /** The outcome of an entry that was stored before, in a log that nobody follows. */
  readonly repeated: 'duplicate' | 'stored';
}
