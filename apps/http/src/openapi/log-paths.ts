import { logEntryPage, logListQuery, logParams } from '@plugin-config/contract';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { FAMILY_NAMES } from './family-names.ts';
import { answer, operation } from './operation.ts';

/** Only plugin configs have a log. */
export const logPaths: ZodOpenApiPathsObject = {
  '/api/projects/{project_id}/plugin_configs/{plugin_config_id}/logs': {
    get: operation({
      operationId: 'list_plugin_config_logs',
      tag: FAMILY_NAMES.plugin_configs.tag,
      summary: 'List the log of a plugin config',
      description:
        'Newest first. `search` and `instance_id` may have to read much: where that takes too long, the answer is ' +
        '400 and asks to narrow it down with `after` and `before`.',
      scope: 'plugin:read',
      path: logParams,
      query: logListQuery,
      answers: { 200: answer('One page of the log.', logEntryPage) },
    }),
  },
};
