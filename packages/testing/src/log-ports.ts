import type {
  DeadLetterStore,
  DeliveryRates,
  DeliverySeries,
  IngestionStores,
  LogSequence,
  LogCounts,
  LogUsageStore,
  LogUpkeep,
  ProjectSummaries,
  ReportedErrors,
  WakeUps,
} from '@plugin-config/domain';
import type { Ports } from './ports.ts';

/** All ports of logs and of configurations. */
export interface LogPorts extends Ports {
  readonly stores: IngestionStores;
  readonly upkeep: LogUpkeep;
  readonly sequence: LogSequence;
  readonly logCounts: LogCounts;
  readonly wakeUps: WakeUps;
  readonly deadLetters: DeadLetterStore;
  readonly usage: LogUsageStore;
  readonly rates: DeliveryRates;
  readonly deliveries: DeliverySeries;
  readonly errors: ReportedErrors;
  readonly summaries: ProjectSummaries;
}
