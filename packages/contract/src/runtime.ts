import * as z from 'zod';
import {
  INTEGER_MAX,
  RECORD_TEXTS_MAX,
  RUNTIME_STATUSES,
  SLUG,
  SLUG_MAX,
  SLUG_PREFIX,
} from '@plugin-config/domain/vocabulary';
import { pluginIds } from './api-key.ts';
import { integer, natural } from './integer.ts';
import { json } from './json.ts';
import { boundedMap } from './bounded-map.ts';
import { familyName } from './family.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { digits, orNull, parameter, RAW_TEXT, repeatedParameter, TRUE_OR_FALSE } from './parameter.ts';
import { externalRef, INSTANCE_NAME } from './path-params.ts';
import { externalId } from './project.ts';
import { PLUGIN_EXPECTED, pluginParameter, slug } from './record-fields.ts';
import { JSON_TEXT_MAX, responseText } from './response-text.ts';
import { projectSubject } from './subject.ts';
import { STORABLE, text } from './text.ts';

const VERSION_MAX = 200;
const RECORDS_MAX = 5000;
const VALUES_MAX = 10_000;
const WAIT = { min: 1, max: 50 };
/** The maximum length of an error in a report. The service stores only its beginning. */
const SENT_ERROR_MAX = 1024 * 1024;
/** The maximum length of a stored error, including the number of missing characters. */
const ERROR_MAX = 10_050;
const FAILED_MAX = 100;
const HOST_FAILED_MAX = 1000;
/** A cursor has the transactions that were running, so its length varies. */
const CURSOR_MAX = 8192;
const PLUGINS_MAX = 100;
const PAGE_PROJECTS = 500;
const GIVEN_PROJECTS = 250;
const LABELS_MAX = 10;
const LABEL_MAX = 100;

export const runtimeQuery = z.object({
  wait: parameter(orNull(integer(WAIT)), digits(WAIT)).meta({
    description:
      'Seconds to wait for a version other than the one in `If-None-Match`. Without a tag, or with `*`, there is no wait.',
  }),
});

const runtimeRecord = z.object({
  id: natural(),
  plugin: integer({ min: 0, max: INTEGER_MAX }).meta({ description: 'Identifier of the plugin.' }),
  plugin_name: responseText(RECORD_TEXTS_MAX.name)
    .nullable()
    .meta({ description: 'The name of the plugin; null if it is not registered.' }),
  plugin_slug: slug.nullable().meta({ description: 'The slug of the plugin; null if it has none.' }),
  name: responseText(RECORD_TEXTS_MAX.name).nullable(),
  order: integer({ min: 0, max: INTEGER_MAX }),
  valid: z.boolean().meta({ description: 'False if the schema of the plugin rejects the configuration.' }),
  config_version: natural().meta({ description: 'Counts the changes to the stored configuration.' }),
  config: z
    .record(responseText(JSON_TEXT_MAX), json)
    .meta({ description: 'The configuration, including the values of secrets.', maxProperties: VALUES_MAX }),
});

const version = responseText(VERSION_MAX);

export const runtimeConfiguration = z
  .object({
    version: version.meta({
      description: 'Changes if and only if `results` changes. Also sent as the `ETag`.',
      examples: ['Zb0l3lzJcN2Zb3m6Uuyo6w'],
    }),
    results: z
      .array(runtimeRecord)
      .meta({ maxItems: RECORDS_MAX, description: 'The enabled records in order.' }),
  })
  .meta({
    id: 'RuntimeConfiguration',
    description: 'Everything that a runtime needs, including secrets.',
    examples: [
      {
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        results: [
          {
            id: 42,
            plugin: 7,
            plugin_name: 'GeoIP',
            plugin_slug: 'geoip',
            name: 'GeoIP for the shop',
            order: 1,
            valid: true,
            config_version: 3,
            config: { host: 'geo.example.com', token: 'hunter2' },
          },
        ],
      },
    ],
  });

const cursor = responseText(CURSOR_MAX).meta({
  description: 'What you have now. Send it as `after` in the next request.',
  examples: ['5f3a9c1e.Zb0l3lzJcN2Zb3m6.0.12-1793446200000000-ck-0'],
});

const plugins = repeatedParameter(
  z
    .string()
    .regex(new RegExp(`^(?:[1-9][0-9]{0,9}|${SLUG_PREFIX}${SLUG})$`))
    .refine((ref) => ref.startsWith(SLUG_PREFIX) || Number(ref) <= INTEGER_MAX)
    .meta({ maxLength: SLUG_PREFIX.length + SLUG_MAX }),
  PLUGIN_EXPECTED,
  PLUGINS_MAX,
).meta({
  maxItems: PLUGINS_MAX,
  description:
    'Only records of this plugin, by its id or `slug:` and its slug. Can be repeated. `version` is that of what is shown.',
});

export const feedQuery = z.object({
  after: parameter(orNull(text(CURSOR_MAX)), RAW_TEXT).meta({
    description: 'The `cursor` of the previous response. Without it, the feed starts from the beginning.',
  }),
  wait: parameter(orNull(integer(WAIT)), digits(WAIT)).meta({
    description: 'Seconds to wait for a change after the cursor.',
  }),
  plugin: plugins,
  shard: parameter(
    orNull(
      z
        .string()
        .regex(/^\d{1,4}\/\d{1,4}$/, 'A shard such as 0/4 is required.')
        .meta({ maxLength: 9 }),
    ),
    RAW_TEXT,
  ).meta({
    description:
      'Only the projects whose id, divided by the second number (1 to 1,024), leaves the first one.',
    example: '0/4',
  }),
  content: parameter(z.boolean().default(true), TRUE_OR_FALSE).meta({
    description: 'If `false`, projects have no `results`. Not part of the cursor.',
  }),
});

export const feedReadQuery = z.object({ plugin: plugins });

export const feedProject = z.object({
  project_id: natural(),
  external_id: externalId.nullable(),
  version: version.nullable().meta({
    description: 'Changes if and only if `results` changes; null with an `error`.',
  }),
  results: z
    .array(runtimeRecord)
    .optional()
    .meta({ maxItems: RECORDS_MAX, description: 'All enabled records of the project in order.' }),
  error: z
    .enum(['too_large'])
    .optional()
    .meta({ description: 'Set if the project has too many enabled records to be read.' }),
});

const FEED_PROJECT_EXAMPLE = {
  project_id: 4711,
  external_id: 'acme-corp',
  version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
  results: [
    {
      id: 42,
      plugin: 7,
      plugin_name: 'GeoIP',
      plugin_slug: 'geoip',
      name: 'GeoIP for the shop',
      order: 1,
      valid: true,
      config_version: 3,
      config: { host: 'geo.example.com', token: 'hunter2' },
    },
  ],
};

export const runtimeFeed = z
  .object({
    cursor,
    more: z.boolean().meta({ description: 'Whether there is more after the cursor: ask again at once.' }),
    reset: z.boolean().meta({
      description:
        'Whether the feed starts from the beginning because the service does not know the cursor. What does not come again is gone.',
    }),
    gone: z.array(z.object({ project_id: natural(), external_id: externalId.nullable() })).meta({
      maxItems: PAGE_PROJECTS,
      description: 'The projects that were deleted. Their `external_id` is null once they are erased.',
    }),
    projects: z
      .array(feedProject)
      .meta({ maxItems: PAGE_PROJECTS, description: 'The projects that may have changed, each as a whole.' }),
  })
  .meta({
    id: 'RuntimeFeed',
    description: 'The configurations of several projects, including secrets.',
    examples: [
      {
        cursor: '5f3a9c1e.Zb0l3lzJcN2Zb3m6.0.12-1793446200000000-ck-0',
        more: false,
        reset: false,
        gone: [{ project_id: 4712, external_id: 'globex' }],
        projects: [FEED_PROJECT_EXAMPLE],
      },
    ],
  });

export const feedReadBody = z
  .object({
    projects: z
      .array(
        z.union(
          [integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), externalRef],
          'Ids of projects are required: numbers, or `ext:` and an external id.',
        ),
      )
      .min(1)
      .max(GIVEN_PROJECTS)
      .meta({ description: 'Ids of projects, or `ext:` and their external ids.' }),
  })
  .meta({ id: 'RuntimeProjects', description: 'The projects to read.' });

export const runtimeProjects = z
  .object({
    more: z.boolean().meta({
      description:
        'Whether the response is full: ask again for the projects that are neither in `projects` nor in `gone`.',
    }),
    gone: z
      .array(z.object({ project_id: natural().nullable(), external_id: externalId.nullable() }))
      .meta({ maxItems: GIVEN_PROJECTS, description: 'The projects that do not exist for the key.' }),
    projects: z
      .array(feedProject)
      .meta({ maxItems: GIVEN_PROJECTS, description: 'The projects, each as a whole.' }),
  })
  .meta({
    id: 'RuntimeProjectsRead',
    description: 'The configurations of the requested projects, including secrets.',
    examples: [
      { more: false, gone: [{ project_id: null, external_id: 'globex' }], projects: [FEED_PROJECT_EXAMPLE] },
    ],
  });

const hostError = text(SENT_ERROR_MAX);

export const hostReportBody = z
  .object({
    cursor: text(CURSOR_MAX).min(1).meta({
      description: 'The cursor of the last page that was applied, or that the host tried to apply.',
    }),
    status: z.enum(RUNTIME_STATUSES),
    error: orNull(hostError.nullable()).meta({
      description: 'Why it failed. Truncated to 10,000 characters.',
    }),
    failed: z
      .array(z.object({ project_id: natural(), id: natural(), error: hostError }))
      .max(HOST_FAILED_MAX)
      .default([])
      .meta({
        description: 'The records that could not be applied. Those that the key cannot read are ignored.',
      }),
    labels: boundedMap(text(LABEL_MAX).min(1), text(LABEL_MAX), LABELS_MAX)
      .default({})
      .meta({
        additionalProperties: { type: 'string', maxLength: LABEL_MAX, pattern: STORABLE },
        description: 'Labels that distinguish hosts, such as a region or a release.',
      }),
  })
  .meta({ id: 'HostReport', description: 'The state of a runtime of several projects.' });

export const runtimeReportBody = z
  .object({
    version: text(VERSION_MAX).meta({
      description: 'The version that the runtime applied or tried to apply.',
    }),
    status: z.enum(RUNTIME_STATUSES),
    error: orNull(text(SENT_ERROR_MAX).nullable()).meta({
      description: 'Why it failed. Truncated to 10,000 characters.',
    }),
    failed: z
      .array(z.object({ id: natural(), error: text(SENT_ERROR_MAX) }))
      .max(FAILED_MAX)
      .default([])
      .meta({
        description: 'The records that could not be applied. Ids that are not in the family are ignored.',
      }),
    labels: boundedMap(text(LABEL_MAX).min(1), text(LABEL_MAX), LABELS_MAX)
      .default({})
      .meta({
        additionalProperties: { type: 'string', maxLength: LABEL_MAX, pattern: STORABLE },
        description: 'Labels that distinguish runtimes, such as a region or a release.',
      }),
  })
  .meta({ id: 'RuntimeReport', description: 'The state of a runtime.' });

export const runtime = z
  .object({
    instance: z.string().meta({ pattern: INSTANCE_NAME.source, maxLength: 128 }),
    plugin_ids: pluginIds,
    version: version.nullable().meta({
      description: 'Null for a runtime of several projects, which reports a cursor of the feed instead.',
    }),
    current: z.boolean().meta({ description: 'Whether it runs the current version.' }),
    online: z.boolean().meta({ description: 'Whether it has reported within the last 3 minutes.' }),
    status: z.enum(RUNTIME_STATUSES),
    error: responseText(ERROR_MAX).nullable(),
    failed: z
      .array(z.object({ id: natural(), error: responseText(ERROR_MAX) }))
      .meta({ maxItems: FAILED_MAX, description: 'The records that could not be applied.' }),
    labels: z.record(responseText(LABEL_MAX), responseText(LABEL_MAX)).meta({ maxProperties: LABELS_MAX }),
    first_seen_at: moment,
    last_seen_at: moment,
  })
  .meta({
    id: 'Runtime',
    description: 'A runtime as last reported.',
    examples: [
      {
        instance: 'shop-eu-1',
        plugin_ids: null,
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        current: true,
        online: true,
        status: 'failed',
        error: null,
        failed: [{ id: 42, error: 'The token was rejected.' }],
        labels: { region: 'eu' },
        first_seen_at: '2026-03-01T09:30:00.000Z',
        last_seen_at: '2026-03-02T18:04:11.250Z',
      },
    ],
  });

export const runtimePage = pageOf('RuntimePage', runtime);

const { current: _, ...shared } = runtime.shape;

export const projectRuntime = z
  .object({
    project: projectSubject.nullable().meta({ description: 'Null for a host of several projects.' }),
    family: familyName,
    ...shared,
  })
  .meta({
    id: 'ProjectRuntime',
    description: 'A runtime of any project, as last reported.',
    examples: [
      {
        project: { id: 1, external_id: 'acme-corp', name: 'Acme' },
        family: 'plugin_configs',
        instance: 'shop-eu-1',
        plugin_ids: null,
        version: 'Zb0l3lzJcN2Zb3m6Uuyo6w',
        online: true,
        status: 'applied',
        error: null,
        failed: [],
        labels: { region: 'eu' },
        first_seen_at: '2026-03-01T09:30:00.000Z',
        last_seen_at: '2026-03-02T18:04:11.250Z',
      },
    ],
  });

export const projectRuntimePage = pageOf('ProjectRuntimePage', projectRuntime);

export const projectRuntimeQuery = z.object({
  ...pageParameters,
  plugin: pluginParameter.meta({
    description: 'Only runtimes of families with an enabled record of this plugin.',
  }),
});

export type WireRuntime = z.infer<typeof runtime>;
export type WireRuntimeFeed = z.infer<typeof runtimeFeed>;
export type WireRuntimeProjects = z.infer<typeof runtimeProjects>;
export type WireRuntimePage = z.infer<typeof runtimePage>;
export type WireRuntimeConfiguration = z.infer<typeof runtimeConfiguration>;
export type WireProjectRuntimePage = z.infer<typeof projectRuntimePage>;
