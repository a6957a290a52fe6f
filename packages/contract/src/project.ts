import * as z from 'zod';
import {
  EXTERNAL_ID,
  EXTERNAL_ID_EXPECTED,
  EXTERNAL_ID_MAX,
  LABEL_MAX,
} from '@plugin-config/domain/vocabulary';
import { camelCased } from './camel-case.ts';
import { integer, natural } from './integer.ts';
import { moment } from './moment.ts';
import { pageOf, pageParameters } from './page.ts';
import { orNull, parameter, RAW_TEXT } from './parameter.ts';
import { search } from './record-list-query.ts';
import { filledText } from './text.ts';
import { responseText } from './response-text.ts';
import { logQuota } from './usage.ts';

export const externalId = z
  .string()
  .regex(new RegExp(`^${EXTERNAL_ID}$`), EXTERNAL_ID_EXPECTED)
  .meta({ maxLength: EXTERNAL_ID_MAX, examples: ['acme-corp'] });

export const project = z
  .object({
    id: natural(),
    external_id: externalId.nullable().meta({
      description:
        'Its id in your product, unique among all projects. `ext:` and this id can replace the id in paths and bodies.',
    }),
    name: responseText(LABEL_MAX).meta({ examples: ['Acme'] }),
    created_at: moment,
    log_quota: logQuota.nullable().meta({
      description:
        'Daily quota for the logs of the project. If it, or a limit in it, is null, the setting of the service applies.',
    }),
  })
  .meta({
    id: 'Project',
    description: 'A project, which contains config records.',
  });

export const projectBody = z
  .object({ name: filledText(LABEL_MAX), external_id: externalId.nullish() })
  .meta({ id: 'CreateProject', description: 'A new project.' });

export const projectPut = z
  .object({
    name: filledText(LABEL_MAX).optional(),
    external_id: externalId.optional().meta({ description: 'If present, that of the path.' }),
  })
  .meta({ id: 'PutProject', description: 'The name of the project.' });

export const projectListQuery = z.object({
  ...pageParameters,
  external_id: parameter(orNull(externalId), RAW_TEXT).meta({
    description: 'Only the project with this external id.',
  }),
  search: search.meta({
    description:
      'Only projects whose name or external id contains this text, ignoring case. Exact matches come first. There are no wildcards.',
  }),
});

export const projectDeletion = z
  .object({
    name: filledText(LABEL_MAX).meta({ description: 'The current name of the project, as a confirmation.' }),
  })
  .meta({ id: 'ProjectDeletion', description: 'Confirms the deletion of a project.' });

const limit = integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).nullable().default(null);

const toQuota = camelCased({});

export const projectChange = z
  .object({
    name: filledText(LABEL_MAX).optional(),
    external_id: externalId.nullish().meta({ description: 'Null removes it.' }),
    log_quota: z
      .object({ entries_per_day: limit, bytes_per_day: limit })
      .transform((quota) => toQuota(quota))
      .nullish()
      .meta({
        description:
          'Replaces the whole quota. If it, or a limit in it, is null or absent, the setting of the service applies.',
      }),
  })
  .meta({ id: 'ProjectChange', description: 'The fields of the project to change.' });

export const projectPage = pageOf('ProjectPage', project);
