import * as z from 'zod';
import {
  ALERT_ACTIONS,
  ALERT_LIMITS,
  INCIDENT_REASONS,
  LABEL_MAX,
  SIGNALS,
} from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { familyName } from './family.ts';
import { integer, natural, number } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { ID, idParameter, orNull, parameter, TRUE_OR_FALSE } from './parameter.ts';
import { pluginParameter, pluginRef } from './record-fields.ts';
import { responseText } from './response-text.ts';
import { pluginSubject, projectSubject, recordSubject } from './subject.ts';
import { filledText } from './text.ts';

/** The maximum number of incidents in a preview. */
const PREVIEWED_MAX = 100;

const signal = z.enum(SIGNALS).meta({
  description: [
    'When a record, or a family, breaches the rule, within the last `window_minutes`:',
    '- `delivery_rate`: the rate of successful deliveries is below `threshold`',
    '- `log`: there are at least `threshold` log entries of type ERROR',
    '- `error`: an error was reported that the record still shows',
    '- `silence`: there is neither a delivery report nor a log entry',
    '- `runtime`: a runtime that is online could not apply the record, or has been behind for the whole window',
    '- `offline`: fewer than `threshold` (1 unless given) runtimes of the family have reported. It is about the family, without a record',
    '- `outdated`: the record follows an older schema version than the current one, or a version that was given up; the window does not matter',
  ].join('\n'),
});

const fields = {
  name: filledText(LABEL_MAX).meta({
    description: 'Control and bidirectional characters are not allowed.',
    examples: ['GeoIP delivers'],
  }),
  family: familyName.meta({ description: 'The family of the records. Only one with logs has all signals.' }),
  record: integer(ID)
    .nullable()
    .meta({ description: 'Identifier of the record; null for each record of the family.' }),
  plugin: pluginRef.nullable().meta({
    description:
      'Identifier of the plugin, or `slug:` and its slug; null for records of any plugin, and for an alert on one record.',
  }),
  signal,
  threshold: number({ min: 0, max: ALERT_LIMITS.logThreshold.max })
    .nullable()
    .meta({
      description:
        'From 0 to 1 for `delivery_rate`, and an integer from 1 to 10,000 for `log`, which require it. From 1 to 1,000 for `offline`. Null for other signals.',
      examples: [0.95],
    }),
  window_minutes: integer(ALERT_LIMITS.window).meta({ examples: [15] }),
  min_samples: integer(ALERT_LIMITS.samples).meta({
    description: 'A `delivery_rate` of fewer deliveries is inconclusive, and changes nothing.',
    examples: [100],
  }),
  for: z.object({ n: integer(ALERT_LIMITS.evaluations), m: integer(ALERT_LIMITS.evaluations) }).meta({
    description:
      'An incident is open while at least `n` of the last `m` conclusive evaluations are breaches.',
    examples: [{ n: 2, m: 3 }],
  }),
  action: z.enum(ALERT_ACTIONS).meta({
    description: '`disable` also disables the record. It stays disabled until somebody enables it again.',
  }),
  enabled: z.boolean().meta({ description: 'Only enabled alerts are evaluated.' }),
};

const defaults = {
  record: fields.record.default(null),
  plugin: fields.plugin.default(null),
  threshold: fields.threshold.default(null),
  min_samples: fields.min_samples.default(0),
  for: fields.for.default({ n: 1, m: 1 }),
  action: fields.action.default('notify'),
  enabled: fields.enabled.default(true),
};

/** Renames the fields of a body to those of the domain's rule. */
const toRule = camelCased({ record: 'recordId', for: 'required' });

export const alertBody = z
  .object({ ...fields, ...defaults })
  .transform((body) => toRule(body))
  .meta({ id: 'CreateAlert', description: 'The fields of the new alert. Unknown fields are ignored.' });

export const alertChange = z
  .object(fields)
  .partial()
  .transform((body) => toRule(body))
  .meta({
    id: 'UpdateAlert',
    description: 'The fields to change. Read-only and unknown fields are ignored.',
  });

const RULE = {
  family: 'plugin_configs',
  signal: 'delivery_rate',
  threshold: 0.95,
  window_minutes: 15,
  min_samples: 100,
  for: { n: 2, m: 3 },
};

export const ALERT_EXAMPLES = {
  'The delivery rate of each record': { name: 'Deliveries', ...RULE },
  'Disable a record that logs errors': {
    name: 'GeoIP logs errors',
    family: 'plugin_configs',
    signal: 'log',
    threshold: 50,
    window_minutes: 60,
    action: 'disable',
  },
  'A runtime cannot run a plugin': {
    name: 'A runtime cannot run a plugin',
    family: 'plugin_configs',
    signal: 'runtime',
    window_minutes: 5,
  },
} as const;

export const PREVIEW_EXAMPLES = { 'The delivery rate of each record': RULE };

export const alertPreviewBody = z
  .object({ ...fields, ...defaults, name: fields.name.optional() })
  .transform((body) => toRule(body))
  .meta({
    id: 'PreviewAlert',
    description: 'The fields of an alert, which need not exist. Unknown fields are ignored.',
  });

export const alert = z
  .object({
    id: natural(),
    ...fields,
    record: natural().nullable(),
    plugin: natural().nullable(),
    version: natural().meta({ description: 'Incremented by every change. Part of the `ETag`.' }),
    evaluated_at: moment
      .nullable()
      .meta({ description: 'When the alert was last evaluated; null before the first time.' }),
    broken: z.boolean().meta({
      description: 'Whether the alert is enabled, but could not be evaluated for an hour.',
    }),
    created_at: moment,
    updated_at: moment,
  })
  .meta({
    id: 'Alert',
    description: 'A rule that opens an incident for each record that breaches it.',
  });

export const alertPage = pageOf('AlertPage', alert);

export const alertQuery = z.object({
  ...pageParameters,
  plugin: pluginParameter.meta({ description: 'Only alerts on this plugin.' }),
});

const value = number({ min: 0, max: Number.MAX_SAFE_INTEGER })
  .nullable()
  .meta({
    description:
      'What breached the rule: a rate, a number of runtimes, or the threshold of `log`, where counting ends. Null for other signals.',
    examples: [0.8125],
  });

const closedAt = moment.nullable().meta({ description: 'Null while the incident is open.' });

export const incident = z
  .object({
    id: natural(),
    alert_id: natural(),
    alert_project_id: natural()
      .nullable()
      .meta({ description: 'The project of the alert; null for an alert on all projects.' }),
    alert_name: responseText(LABEL_MAX).meta({
      description: 'The name of the alert at the time.',
      examples: ['GeoIP delivers'],
    }),
    family: familyName,
    record_id: natural().nullable().meta({
      description:
        'Null for a signal about the family, and for the incident that counts, in `value`, the records beyond the maximum of open incidents.',
    }),
    signal: z.enum(SIGNALS),
    value,
    opened_at: moment,
    closed_at: closedAt,
    reason: z.enum(INCIDENT_REASONS).nullable().meta({
      description:
        'Why it was closed: the record no longer breaches the rule, was disabled or deleted, or the alert was changed or deleted.',
    }),
    record: recordSubject.nullable(),
  })
  .meta({
    id: 'Incident',
    description: 'A period in which a record breached the rule of an alert.',
  });

export const incidentPage = pageOf('IncidentPage', incident);

export const projectIncident = z
  .object({
    project: projectSubject.nullable(),
    ...incident.shape,
    plugin: pluginSubject.nullable(),
  })
  .meta({
    id: 'ProjectIncident',
    description: 'An incident of any project.',
  });

export const projectIncidentPage = pageOf('ProjectIncidentPage', projectIncident);

export const incidentQuery = z.object({
  ...pageParameters,
  alert: idParameter.meta({ description: 'Only incidents of this alert.' }),
  record: idParameter.meta({ description: 'Only incidents of this record.' }),
  plugin: pluginParameter.meta({
    description: 'Only incidents about records that attached this plugin at the time.',
  }),
  open: parameter(orNull(z.boolean()), TRUE_OR_FALSE).meta({
    description: 'If true, only open incidents; if false, only closed ones.',
  }),
});

export const alertIncidentQuery = incidentQuery.omit({ alert: true });

export const alertPreview = z
  .object({
    count: natural().meta({ description: 'Number of incidents in the last 24 hours.' }),
    results: z
      .array(z.object({ record_id: natural(), value, opened_at: moment, closed_at: closedAt }))
      .meta({ maxItems: PREVIEWED_MAX, description: `The newest ${PREVIEWED_MAX} of them.` }),
  })
  .meta({
    id: 'AlertPreview',
    description: 'The incidents that an alert would have opened.',
  });
