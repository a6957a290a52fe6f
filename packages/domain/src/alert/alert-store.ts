import type { Author } from '../kernel/author.ts';
import type { Page, PageRequest } from '../kernel/page.ts';
import type { Precondition } from '../record/config-record.ts';
import type { Alert, AlertRule } from './alert.ts';

/**
 * Stores alerts. Alerts on all projects have the project id `SERVICE`, and no record. Each change adds an entry to the audit log
 * in the same step.
 */
export interface AlertStore {
  /** Returns one page, sorted by id: of all alerts, or only of a plugin's. */
  page(projectId: number, plugin: number | null, page: PageRequest): Promise<Page<Alert>>;
  find(projectId: number, id: number): Promise<Alert | null>;
  /**
   * @throws DomainError `already_exists`, attr `name`, if the project has an alert with this name; `invalid_input` if it has
   * `alertsMaxOf` alerts; `does_not_exist`, attr `record`; `project_not_found`
   */
  create(projectId: number, rule: AlertRule, author: Author): Promise<Alert>;
  /**
   * Calls `decide` with the locked alert and stores the rule that it returns. If anything but the name has changed, the next
   * evaluation closes all open incidents of the alert and starts over. The same rule changes nothing. Resolves to null if there
   * is no such alert.
   * @throws DomainError `stale_version`; `already_exists`, attr `name`; `does_not_exist`, attr `record`
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
