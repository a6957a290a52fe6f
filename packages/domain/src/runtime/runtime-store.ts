import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef } from '../project/family.ts';
import type { RuntimeInstance, RuntimeReport } from './runtime-instance.ts';

/** A report, with the time it was received. */
export interface ReceivedReport {
  readonly family: FamilyRef;
  readonly instance: string;
  readonly report: RuntimeReport;
  readonly at: Date;
}

/** Stores the last report of each runtime. */
export interface RuntimeStore {
  /**
   * Stores a report, unless an identical one was stored within `REPORT_REST_MS`. Drops failed records that the family
   * does not have.
   * @throws DomainError `throttled` if the runtime is new and the family has `RUNTIMES_MAX` of them
   */
  report(received: ReceivedReport): Promise<void>;
  /** Returns one page of the runtimes of a family, sorted by name. */
  page(family: FamilyRef, page: PageRequest): Promise<Page<RuntimeInstance>>;
  /** Deletes a runtime. Resolves to false if there is none with this name. */
  forget(family: FamilyRef, instance: string): Promise<boolean>;
}
