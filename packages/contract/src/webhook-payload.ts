import * as z from 'zod';
import { CHANGES_OF_RECORD, TEST_EVENT, type DispatchType } from '@plugin-config/domain/vocabulary';
import { actor } from './activity.ts';
import { incident } from './alert.ts';
import { familyName } from './family.ts';
import { integer, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pluginVersion } from './plugin-version.ts';
import { address } from './response-text.ts';
import { pluginSubject, projectSubject, recordSubject } from './subject.ts';

/** What a receiver needs to name the subject of an event. */
const CONTEXT = {
  project: projectSubject
    .nullable()
    .meta({ description: 'Null if the event is about several projects, or none.' }),
  record: recordSubject.nullable(),
  plugin: pluginSubject.nullable(),
  url: address
    .nullable()
    .meta({ description: 'The page of the console, if the service has a `PUBLIC_URL`.' }),
};

const projectId = natural().nullable();

const incidentData = z.object({ project_id: projectId, ...incident.shape, ...CONTEXT }).meta({
  id: 'IncidentEventData',
  description: 'The incident and its project.',
});

const recordData = z
  .object({
    project_id: natural(),
    family: familyName,
    record_id: natural(),
    version: natural().meta({ description: 'The version of the record after the change.' }),
    activity: z.enum(CHANGES_OF_RECORD),
    actor,
    ...CONTEXT,
  })
  .meta({ id: 'RecordEventData', description: 'What happened to a record, and who did it.' });

const quotaData = z.object({
  project_id: natural(),
  day: z.iso.date().meta({ maxLength: 10, description: 'The day in UTC.' }),
  ...CONTEXT,
});

const deprecatedData = z
  .object({
    project_id: projectId,
    ...pluginVersion.pick({ version: true, message: true, upgrade_by: true }).shape,
    ...CONTEXT,
  })
  .meta({
    id: 'DeprecatedEventData',
    description:
      'The version of `plugin`. A webhook of a project gets it if a record of the project follows the version.',
  });

const testData = z.object({ project_id: projectId, webhook_id: natural(), actor, ...CONTEXT });

const payloads = [
  payload('incident.opened', 'An incident was opened.', incidentData),
  payload('incident.closed', 'An incident was closed.', incidentData),
  payload('record.created', 'A record was created.', recordData),
  payload('record.updated', 'A record was changed, restored or moved.', recordData),
  payload('record.deleted', 'A record was deleted.', recordData),
  payload('record.disabled_by_alert', 'An alert disabled a record.', recordData),
  payload('project.quota_reached', 'The project has exceeded its log quota of the day.', quotaData),
  payload('plugin.deprecated', 'A version of a plugin has become deprecated.', deprecatedData),
  payload(TEST_EVENT, 'Somebody tests the webhook.', testData),
] as const;

/** The body of a delivery. */
export const webhookPayload = z.union(payloads);

/** The bodies of deliveries, by their `type`. */
export const webhookPayloads: ReadonlyMap<string, z.ZodObject> = new Map(
  payloads.map((schema) => [schema.shape.type.value, schema]),
);

function payload<Type extends DispatchType, Data extends z.ZodObject>(
  type: Type,
  description: string,
  data: Data,
) {
  const schema = z.object({ type: z.literal(type), timestamp: moment, data });
  return schema.meta({ id: componentName(type), description });
}

/** Returns `IncidentOpenedEvent` for `incident.opened`. */
function componentName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

const TIMESTAMP = { min: 0, max: 99_999_999_999 };
const SIGNATURE = String.raw`v1,[A-Za-z0-9+/]{43}=`;
const SIGNATURES_MAX = 239;

/** The headers of a delivery, as in Standard Webhooks. */
export const webhookHeaders = {
  'webhook-id': z.string().meta({
    pattern: '^[0-9a-f-]{36}$',
    maxLength: 36,
    param: { id: 'WebhookId' },
    description: 'Identifies the event. The same for every attempt.',
  }),
  'webhook-timestamp': integer(TIMESTAMP).meta({
    param: { id: 'WebhookTimestamp' },
    description: 'The time of the attempt, in seconds since 1970.',
  }),
  'webhook-signature': z.string().meta({
    pattern: `^${SIGNATURE}(?: ${SIGNATURE})*$`,
    maxLength: SIGNATURES_MAX,
    param: { id: 'WebhookSignature' },
    description: 'HMAC-SHA256 of id, timestamp and body with each current secret of the webhook.',
  }),
};
