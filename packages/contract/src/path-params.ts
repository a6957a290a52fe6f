import * as z from 'zod';
import { integer } from './integer.ts';
import { AS_IT_IS, digits, parameter } from './parameter.ts';
import { uuid } from './shown-text.ts';

const ID = { min: 1, max: Number.MAX_SAFE_INTEGER };
const ID_DIGITS = 16;
const anyId = digits(ID);

export type ProjectParam = number | 'current';

const projectId = parameter(
  z
    .custom<ProjectParam>((value) => value !== undefined)
    .meta({ type: 'string', pattern: '^(@current|[0-9]+)$', maxLength: ID_DIGITS }),
  { read: (text) => (text === '@current' ? 'current' : anyId.read(text)), expected: anyId.expected },
).meta({
  description:
    'Identifier of the project, or `@current`: the only project of the key, else the first one that the key may see.',
  example: '1',
});

const id = parameter(integer(ID), anyId).meta({
  description: 'Identifier of the config record.',
  example: 42,
});

const pluginConfigId = parameter(
  z
    .custom<number>((value) => value !== undefined)
    .meta({ type: 'string', pattern: '^[0-9]+$', maxLength: ID_DIGITS }),
  anyId,
).meta({ description: 'Identifier of the plugin config.', example: '42' });

const jobId = parameter(uuid.toLowerCase().meta({ maxLength: 36 }), AS_IT_IS).meta({
  description: 'Identifier of the job.',
  example: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f',
});

/** A wrong path parameter is answered with 404, since the path addresses nothing. */
export const projectParams = z.object({ project_id: projectId });
export const recordParams = z.object({ project_id: projectId, id });
export const jobParams = z.object({ project_id: projectId, id, job_id: jobId });
export const logParams = z.object({ project_id: projectId, plugin_config_id: pluginConfigId });
