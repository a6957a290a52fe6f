import * as z from 'zod';
import { OVERVIEW_FIELDS_MAX, RECORD_OVERVIEW_MAX } from '@plugin-config/domain/vocabulary';
import { activity, activityEntry, actor } from './activity.ts';
import { incident } from './alert.ts';
import { deliveryBucket } from './delivery.ts';
import { familyName } from './family.ts';
import { natural } from './integer.ts';
import { moment } from './moment.ts';
import { responseText } from './response-text.ts';
import { runtime } from './runtime.ts';
import { recordSubject } from './subject.ts';

const FAMILIES_MAX = 10;
const HOURS = 24;
const INCIDENTS_MAX = 5;
const CHANGES_MAX = 10;
const FIELD_MAX = 64 * 1024;

const outcomes = z.object({
  successes: natural().meta({ description: 'Includes successes on retry.' }),
  failures: natural(),
});

const openIncidents = (max: number) =>
  z
    .object({ open: natural(), newest: z.array(incident).meta({ maxItems: max }) })
    .meta({ description: 'The open incidents.' });

export const overview = z
  .object({
    families: z
      .array(
        z.object({
          family: familyName,
          enabled: natural(),
          disabled: natural(),
          failing: natural().meta({ description: 'Records that show an error.' }),
          invalid: natural().meta({
            description: 'Enabled records whose configuration the schema of their plugin rejects.',
          }),
          outdated: natural().meta({
            description: 'Records that `?outdated=true` lists.',
          }),
        }),
      )
      .meta({ maxItems: FAMILIES_MAX, description: 'The records of each family that are not deleted.' }),
    runtimes: z.object({
      online: natural(),
      behind: natural().meta({ description: 'Online runtimes that are not at the current version.' }),
      failed: natural().meta({ description: 'Online runtimes that could not apply their version.' }),
      silent: natural().meta({ description: 'Runtimes that stopped reporting within the last hour.' }),
    }),
    webhooks: z.object({
      disabled: natural().meta({ description: 'Webhooks that the service disabled, since they failed.' }),
    }),
    deliveries: z.object({ last_24h: outcomes, previous_24h: outcomes }).nullable().meta({
      description: 'Null if there are too many to add up in time.',
    }),
    errors: z.array(z.object({ start: moment, count: natural() })).meta({
      maxItems: HOURS,
      description:
        'The log entries of type ERROR in each of the last 24 hours, oldest first. Can be a minute out of date.',
    }),
    incidents: openIncidents(INCIDENTS_MAX),
    changes: z
      .array(
        z.object({
          id: natural(),
          family: familyName,
          record: natural().meta({ description: 'Identifier of the record that changed.' }),
          record_name: recordSubject.shape.name,
          activity,
          fields: z.array(responseText(FIELD_MAX)).meta({
            maxItems: OVERVIEW_FIELDS_MAX,
            description: 'The first fields that changed, in the words of the activity.',
          }),
          created_at: moment,
          actor,
        }),
      )
      .meta({ maxItems: CHANGES_MAX, description: 'The last changes to records, newest first.' }),
  })
  .meta({ id: 'Overview', description: 'A summary of a project.' });

const { incidents, runtimes, changes } = RECORD_OVERVIEW_MAX;

export const recordOverview = z
  .object({
    deliveries: z
      .array(deliveryBucket)
      .meta({ maxItems: HOURS, description: 'The last 24 hours with reports, oldest first.' }),
    error_reported_at: moment
      .nullable()
      .meta({ description: 'When the error of the record was reported; null if it has none.' }),
    incidents: openIncidents(incidents),
    runtimes: z
      .array(
        runtime
          .pick({ instance: true, online: true, last_seen_at: true })
          .extend({ error: runtime.shape.failed.element.shape.error }),
      )
      .meta({ maxItems: runtimes, description: 'Runtimes that could not apply the record, and why.' }),
    changes: z
      .array(activityEntry)
      .meta({ maxItems: changes, description: 'The last changes, newest first.' }),
  })
  .meta({ id: 'RecordOverview', description: 'What happens to a record.' });
