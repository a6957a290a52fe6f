import type { Page, PageRequest } from '../kernel/page.ts';
import type { FamilyRef } from '../project/family.ts';
import type { RuntimeInstance, RuntimeReport } from './runtime-instance.ts';

/** A report, and when it arrived. */
export interface ReceivedReport {
  readonly family: FamilyRef;
  readonly instance: string;
  readonly report: RuntimeReport;
  readonly at: Date;
}

/** Keeps the last report of each runtime. */
export interface RuntimeStore {
  /**
   * Stores a report. Resolves once it is stored, or without a write if the same one was stored within `REPORT_REST_MS`. Drops failed
   * records that the family does not have.
   * @throws DomainError `throttled` if the runtime is new and the family has `RUNTIMES_MAX` of them
   */
  report(received: ReceivedReport): Promise<void>;
  /** Returns one page of the runtimes of a family, sorted by their names. */
  page(family: FamilyRef, page: PageRequest): Promise<Page<RuntimeInstance>>;
  /** Forgets a runtime. Resolves to false if there is none of this name. */
  forget(family: FamilyRef, instance: string): Promise<boolean>;
}
