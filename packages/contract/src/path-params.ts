import * as z from 'zod';
import {
  EXTERNAL_ID,
  EXTERNAL_ID_MAX,
  EXTERNAL_PREFIX,
  PLUGIN_VERSION,
  PLUGIN_VERSION_MAX,
  SLUG,
  SLUG_MAX,
  SLUG_PREFIX,
  type Family,
  type PluginRef,
  type ProjectRef,
} from '@plugin-config/domain/vocabulary';
import type { Endpoint } from './endpoint.ts';
import { integer } from './integer.ts';
import { pluginParameter } from './record-fields.ts';
import { uuid } from './response-text.ts';

const ID_MAX = Number.MAX_SAFE_INTEGER;
const ID_DIGITS = 16;

export const INSTANCE_NAME = /^[A-Za-z0-9._-]{1,128}$/;

const idOf = (what: string, example: number) =>
  integer({ min: 1, max: ID_MAX }).meta({ description: `Identifier of the ${what}.`, example });

const uuidOf = (what: string) =>
  uuid.meta({ description: `Identifier of the ${what}.`, example: '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f' });

const EXTERNAL_REF = `${EXTERNAL_PREFIX}${EXTERNAL_ID}`;
const EXTERNAL_REF_MAX = EXTERNAL_PREFIX.length + EXTERNAL_ID_MAX;

const projectRef = (description: string, pattern: string, example: string) =>
  z.string().meta({ description, example, pattern: `^(${pattern})$`, maxLength: EXTERNAL_REF_MAX });

const PARAMS = {
  project_id: projectRef(
    'Identifier of the project, `ext:` and its external id, or `@current` for the first project that the key can access.',
    `@current|${EXTERNAL_REF}|[0-9]{1,${ID_DIGITS}}`,
    '1',
  ),
  id: idOf('config record', 42),
  plugin_config_id: z.string().meta({
    description: 'Identifier of the plugin config.',
    example: '42',
    pattern: '^[0-9]+$',
    maxLength: ID_DIGITS,
  }),
  job_id: uuidOf('job'),
  check_id: uuidOf('check'),
  entry_id: uuidOf('entry'),
  revision: integer({ min: 1, max: ID_MAX }).meta({
    description: 'Number of the revision within the record.',
    example: 3,
  }),
  key_id: idOf('key', 3),
  trust_id: idOf('trust', 12),
  plugin_id: z.string().meta({
    description: 'Identifier of the plugin, or `slug:` and its slug.',
    example: '8',
    pattern: `^(${SLUG_PREFIX}${SLUG}|[0-9]{1,10})$`,
    maxLength: SLUG_PREFIX.length + SLUG_MAX,
  }),
  version: z.string().meta({
    description: 'The version of the plugin.',
    example: '2.3.1',
    pattern: `^${PLUGIN_VERSION}$`,
    maxLength: PLUGIN_VERSION_MAX,
  }),
  alert_id: idOf('alert', 5),
  webhook_id: idOf('webhook', 3),
  delivery_id: uuidOf('delivery'),
  instance: z.string().meta({
    description: 'Name of the runtime, which it chooses itself.',
    example: 'shop-eu-1',
    pattern: INSTANCE_NAME.source,
    maxLength: 128,
  }),
};

/** The type of a parameter in a path, for clients. An id that is described as text may still be a number. */
export type PathParam<Name> = Name extends 'project_id' | 'plugin_config_id'
  ? number
  : Name extends 'plugin_id'
    ? PluginRef
    : Name extends 'family'
      ? Family
      : Name extends keyof typeof PARAMS
        ? z.output<(typeof PARAMS)[Name]>
        : never;

export type PathParams = Readonly<Partial<Record<keyof typeof PARAMS, string>>>;

const deletedProject = idOf('project', 3);

/** A project that need not exist. */
const UNKNOWN_PROJECT: Readonly<Record<Endpoint['method'], z.ZodType>> = {
  GET: deletedProject,
  POST: deletedProject,
  PATCH: deletedProject,
  PUT: projectRef('`ext:` and the external id of the project.', EXTERNAL_REF, 'ext:acme-corp'),
  DELETE: projectRef(
    'Identifier of the project, or `ext:` and its external id.',
    `${EXTERNAL_REF}|[0-9]{1,${ID_DIGITS}}`,
    '3',
  ),
};

/** Returns the schema of the parameters in a path, other than `:family`; undefined if there are none. */
export function pathParams({
  path,
  needs,
  method,
}: Pick<Endpoint, 'path' | 'needs' | 'method'>): z.ZodObject | undefined {
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  // Endpoints that need only a key do not look up the project: it may be deleted, and cannot be `@current`.
  const params = { ...PARAMS, ...(needs === 'key' && { project_id: UNKNOWN_PROJECT[method] }) };
  const used = Object.entries(params).filter(([name]) => names.has(name));
  return used.length === 0 ? undefined : z.object(Object.fromEntries(used));
}

/** The project and the record that a path names. Null means that a text is not an id, so the response is 404. */
export interface PathIds {
  /** Undefined if the path names no project. */
  readonly project: ProjectRef | null | undefined;
  /** Also null if the path names no record. */
  readonly recordId: number | null;
}

/** Parses the ids that admission needs. Never throws, because an invalid key is reported before an invalid path. */
export function parsePathIds(params: PathParams): PathIds {
  return {
    project: projectIn(params),
    recordId: idIn(params, 'id') ?? idIn(params, 'plugin_config_id'),
  };
}

function projectIn(params: PathParams): ProjectRef | null | undefined {
  const { project_id: text } = params;
  if (text === undefined) return undefined;
  if (text === '@current') return 'current';
  const externalId = externalIdIn(text);
  return externalId === null ? idIn(params, 'project_id') : `${EXTERNAL_PREFIX}${externalId}`;
}

const WHOLE_EXTERNAL_REF = new RegExp(`^${EXTERNAL_PREFIX}(${EXTERNAL_ID})$`);

export const PROJECT_EXPECTED = 'A valid integer is required, or ext: and an external id.';

export const externalRef = z
  .string()
  .regex(WHOLE_EXTERNAL_REF, PROJECT_EXPECTED)
  .meta({ maxLength: EXTERNAL_REF_MAX });

/** Returns the external id after `ext:`; null if the text is not of this form. */
export function externalIdIn(text: string): string | null {
  return WHOLE_EXTERNAL_REF.exec(text)?.[1] ?? null;
}

/** Returns a number in a path; null if it is absent or not a valid id. */
export function idIn(params: PathParams, name: keyof PathParams): number | null {
  const text = params[name] ?? '';
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  return value >= 1 && value <= ID_MAX ? value : null;
}

/** Returns the plugin in a path; null if it is not valid. */
export function pluginIn({ plugin_id: text }: PathParams): PluginRef | null {
  return pluginParameter.safeParse(text).data ?? null;
}

/** Returns a UUID in a path, in lower case; null if it is absent or not valid. */
export function uuidIn(params: PathParams, name: keyof PathParams): string | null {
  const text = params[name] ?? '';
  return z.regexes.guid.test(text) ? text.toLowerCase() : null;
}
