import * as z from 'zod';
import { RUNTIME_STATUSES } from '@plugin-config/domain/vocabulary';
import { pluginIds } from './api-key.ts';
import { natural } from './integer.ts';
import { familyName } from './family.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { INSTANCE_NAME } from './path-params.ts';
import { pluginParameter } from './record-fields.ts';
import { responseText } from './response-text.ts';
import {
  failure,
  LABEL_MAX,
  LABELS_MAX,
  RECORDS_MAX,
  REPORT,
  runningPlugins,
  runtimeRecord,
  version,
  VERSION_MAX,
  wait,
} from './runtime-parts.ts';
import { projectSubject } from './subject.ts';
import { text } from './text.ts';

/** The maximum length of a stored error, including the number of missing characters. */
const ERROR_MAX = 10_050;
const FAILED_MAX = 100;

export const runtimeQuery = z.object({
  wait: wait.meta({
    description:
      'Seconds to wait for a version other than the one in `If-None-Match`. Without a tag, or with `*`, there is no wait.',
  }),
});

export const runtimeConfiguration = z
  .object({
    version: version.meta({
      description: 'Changes if and only if `results` changes. Also sent as the `ETag`.',
    }),
    results: z
      .array(runtimeRecord)
      .meta({ maxItems: RECORDS_MAX, description: 'The enabled records in order.' }),
  })
  .meta({
    id: 'RuntimeConfiguration',
    description: 'Everything that a runtime needs, including secrets.',
  });

export const runtimeReportBody = z
  .object({
    version: text(VERSION_MAX).meta({
      description: 'The version that the runtime applied or tried to apply.',
    }),
    ...REPORT,
    failed: z
      .array(z.object({ id: natural(), error: failure }))
      .max(FAILED_MAX)
      .default([])
      .meta({
        description: 'The records that could not be applied. Ids that are not in the family are ignored.',
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
      .array(
        z.object({
          id: natural(),
          error: responseText(ERROR_MAX).meta({ examples: ['The token was rejected.'] }),
        }),
      )
      .meta({ maxItems: FAILED_MAX, description: 'The records that could not be applied.' }),
    labels: z
      .record(responseText(LABEL_MAX), responseText(LABEL_MAX))
      .meta({ maxProperties: LABELS_MAX, examples: [{ region: 'eu' }] }),
    plugins: runningPlugins,
    first_seen_at: moment,
    last_seen_at: moment,
  })
  .meta({
    id: 'Runtime',
    description: 'A runtime as last reported.',
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
  });

export const projectRuntimePage = pageOf('ProjectRuntimePage', projectRuntime);

export const projectRuntimeQuery = z.object({
  ...pageParameters,
  plugin: pluginParameter.meta({
    description: 'Only runtimes of families with an enabled record of this plugin.',
  }),
});
