import type { Author } from '../kernel/author.ts';
import type { IdempotencyKey, Once } from '../idempotency/idempotency-key.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Precondition } from '../record/config-record.ts';
import type { Alert, AlertRule } from './alert.ts';

/** Stores alerts. Each change adds an entry to the audit log in the same step. */
export interface AlertStore {
  /** Returns one page, sorted by id. */
  page(projectId: number, page: PageRequest): Promise<Page<Alert>>;
  find(projectId: number, id: number): Promise<Alert | null>;
  /**
   * Creates an alert. With a key, the second request with the same key gets the current state of the alert that the first one
   * created.
   * @throws DomainError `invalid_input` if the project has `ALERTS_MAX` alerts; `does_not_exist`, attr `record`;
   * `project_not_found`; `idempotency_mismatch`; `not_found` if the alert of the first request has been deleted
   */
  create(
    projectId: number,
    rule: AlertRule,
    author: Author,
    key: IdempotencyKey | null,
  ): Promise<Once<Alert>>;
  /**
   * Calls `decide` with the locked alert and stores the rule that it returns. If anything but the name has changed, the next
   * evaluation closes all open incidents of the alert and starts over. The same rule changes nothing. Resolves to null if there
   * is no such alert.
   * @throws DomainError `stale_version`; `does_not_exist`, attr `record`
   */
  change(
    projectId: number,
    id: number,
    precondition: Precondition,
    decide: (alert: Alert) => AlertRule,
    author: Author,
  ): Promise<Alert | null>;
  /**
   * Deletes an alert, whose open incidents are closed when alerts are next evaluated. Resolves to false if there is no such alert.
   * @throws DomainError `stale_version`
   */
  delete(projectId: number, id: number, precondition: Precondition, author: Author): Promise<boolean>;
}
