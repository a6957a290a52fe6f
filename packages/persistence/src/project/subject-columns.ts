import type { PluginSubject, RecordSubject } from '@plugin-config/domain';
import { ProjectRow } from '../entities/project.row.ts';
import { columns } from '../postgres/columns.ts';
import { fieldsOf } from '../postgres/table.ts';

export const PROJECT_SUBJECT = fieldsOf(ProjectRow, 'p', ['id', 'externalId', 'name']);

/** The columns of a record `r`, whose registered plugin is `g`. */
export const RECORD_SUBJECT = columns((row): RecordSubject => ({
  id: row.number('r.id'),
  name: row.text(`coalesce(nullif(btrim(r.name), ''), coalesce(g.name, 'Record') || ' ' || r.id)`),
}));

/** The columns of a plugin, whose registration is `g`. */
export const pluginSubject = (id: string) =>
  columns((row): PluginSubject => ({
    id: row.number(id),
    slug: row.textOrNull('g.slug'),
    name: row.textOrNull('g.name'),
  }));
