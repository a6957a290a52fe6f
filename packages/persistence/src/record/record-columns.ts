import type { ConfigRecord, Family } from '@plugin-config/domain';
import { dateAt, flagAt, numberAt, numberOrNullAt, textAt, textOrNullAt } from '../postgres/cells.ts';
import { rowsThatFit } from '../postgres/rows-that-fit.ts';
import type { Cells } from '../postgres/statement.ts';

/** A record `r` and what is registered about its plugin, `i`. */
export const RECORD_COLUMNS = `r.id, r.project_id, r.family, r.plugin, r.enabled, r.position, r.name, r.description,
  r.config, r.error, i.info, r.delivery_rate, r.deleted, r.created_at, r.updated_at, r.version,
  r.config_revision, i.revision`;

/**
 * The record of an id, to be joined laterally. Its project and family are for the join to compare: a plan that was
 * made when there were few records must not look for them by anything but the id.
 */
export function recordOfId(id: string): string {
  return `lateral (select * from config_record r where r.id = ${id} limit 1) r`;
}

/** What is registered about its plugin. */
export const INFO_OF_RECORD =
  'lateral (select i.info, i.revision from plugin i where i.id = r.plugin limit 1) i';

interface Records {
  /** A table or a subselect `r`. */
  readonly records: string;
  readonly order: string;
  readonly maxBytes?: string;
}

/** The first of some records, as many as fit, each with what is registered about its plugin: join `INFO_THAT_FITS`. */
export function recordsThatFit({ records, ...rest }: Records): string {
  const from = `(select * from ${records} left join ${INFO_OF_RECORD} on true)`;
  return rowsThatFit({ from, bytes: BYTES_OF_RECORD, ...rest });
}

/** What is registered about the plugin of a record that `recordsThatFit` brought along. */
export const INFO_THAT_FITS = 'lateral (select r.info, r.revision) i';

const BYTES_OF_RECORD = ['config', 'error', 'info', 'name', 'description']
  .map((text) => `coalesce(octet_length(p.${text}), 0)`)
  .join(' + ');

/** The record whose columns begin at `at`. */
export function recordAt(cells: Cells, at: number): ConfigRecord {
  return {
    id: numberAt(cells, at),
    projectId: numberAt(cells, at + 1),
    family: textAt(cells, at + 2) as Family,
    plugin: numberAt(cells, at + 3),
    enabled: flagAt(cells, at + 4),
    order: numberAt(cells, at + 5),
    name: textOrNullAt(cells, at + 6),
    description: textOrNullAt(cells, at + 7),
    config: textAt(cells, at + 8),
    error: textOrNullAt(cells, at + 9),
    pluginInfo: textOrNullAt(cells, at + 10),
    deliveryRate: textOrNullAt(cells, at + 11),
    deleted: flagAt(cells, at + 12),
    createdAt: dateAt(cells, at + 13),
    updatedAt: dateAt(cells, at + 14),
    version: numberAt(cells, at + 15),
    configRevision: numberAt(cells, at + 16),
    pluginRevision: numberOrNullAt(cells, at + 17),
  };
}

/** The same, where there may be none. */
export function recordOrNullAt(cells: Cells, at: number): ConfigRecord | null {
  return cells[at] === null ? null : recordAt(cells, at);
}
