import * as z from 'zod';
import { INTEGER_MAX, SLUG, SLUG_MAX, SLUG_PREFIX } from '@plugin-config/domain/vocabulary';
import { integer, natural } from './integer.ts';
import { jsonObject } from './json.ts';
import { orNull, parameter, RAW_TEXT, repeatedParameter, TRUE_OR_FALSE } from './parameter.ts';
import { externalRef, PROJECT_EXPECTED } from './path-params.ts';
import { externalId } from './project.ts';
import { PLUGIN_EXPECTED } from './record-fields.ts';
import { responseText } from './response-text.ts';
import { failure, RECORDS_MAX, REPORT, runtimeRecord, version, wait } from './runtime-parts.ts';
import { text } from './text.ts';

const HOST_FAILED_MAX = 1000;
/** A cursor has the transactions that were running, so its length varies. */
const CURSOR_MAX = 8192;
const PLUGINS_MAX = 100;
const PAGE_PROJECTS = 500;
const GIVEN_PROJECTS = 250;

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
  wait: wait.meta({
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
  });

export const feedReadBody = z
  .object({
    projects: z
      .array(z.union([integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), externalRef], PROJECT_EXPECTED))
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
  });

export const hostReportBody = z
  .object({
    cursor: text(CURSOR_MAX).min(1).meta({
      description: 'The cursor of the last page that was applied, or that the host tried to apply.',
    }),
    ...REPORT,
    failed: z
      .array(z.object({ project_id: natural(), id: natural(), error: failure }))
      .max(HOST_FAILED_MAX)
      .default([])
      .meta({
        description: 'The records that could not be applied. Those that the key cannot read are ignored.',
      }),
  })
  .meta({ id: 'HostReport', description: 'The state of a runtime of several projects.' });

export const writeBackBody = z
  .object({
    config_version: natural().meta({
      description: 'The `config_version` of the record that the new values are based on.',
    }),
    set: jsonObject.meta({
      description:
        'The new values of entries that the schema marks `runtime_writable`. Null or an empty text removes an entry.',
    }),
  })
  .meta({ id: 'WriteBack', description: 'Secrets that a runtime has changed.' });

export const writtenBack = z
  .object({
    config_version: natural(),
    version: version.nullable().meta({
      description:
        'The version of the configuration of the project with the new values, if nothing but they has changed since `previous_version`; null if the family is too large for runtimes.',
    }),
    previous_version: version.nullable().meta({
      description:
        'The version before. A runtime that runs it now runs `version`; another one keeps its own, and gets what else has changed.',
    }),
  })
  .meta({
    id: 'WrittenBack',
    description: 'The new versions.',
  });
