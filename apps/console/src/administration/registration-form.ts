import type {
  Json,
  PluginField,
  RegisteredPlugin,
  Registration,
  RegistrationResult,
} from '@plugin-config/client';
import { parseExactly } from '../editing/exact-json.ts';
import { formatCount, recordsText } from '../ui/format.ts';

/** A field of the schema as edited in the form. */
export interface FieldForm {
  /** Identifies the field in the form, since keys may be empty or equal. */
  readonly row: number;
  readonly key: string;
  readonly type: PluginField['type'];
  readonly name: string;
  readonly hint: string;
  /** JSON; empty for none. */
  readonly default: string;
  /** One per line. */
  readonly choices: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly runtime_writable: boolean;
  readonly site: boolean;
}

export interface RegistrationForm {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly icon: string;
  readonly fields: readonly FieldForm[];
  /** The types of its jobs as JSON; empty for none. */
  readonly jobs: string;
  readonly checks: boolean;
}

export function emptyField(row: number): FieldForm {
  const texts = { key: '', name: '', hint: '', default: '', choices: '' };
  return {
    row,
    type: 'string',
    ...texts,
    required: false,
    secret: false,
    runtime_writable: false,
    site: false,
  };
}

/** Returns the form of a registered plugin, or an empty one. */
export function formOf(plugin: RegisteredPlugin | null): RegistrationForm {
  const {
    slug = '',
    name = '',
    description = '',
    url = '',
    icon = '',
    config_schema: schema = [],
    jobs: types,
    checks = false,
  } = plugin ?? {};
  const fields = schema.map(({ default: value, choices = [], ...field }, row) => {
    const texts = { default: value === undefined ? '' : JSON.stringify(value), choices: choices.join('\n') };
    return { ...emptyField(row), ...field, ...texts } as FieldForm;
  });
  const jobs = types === undefined ? '' : JSON.stringify(types, null, 2);
  const id = plugin === null ? '' : String(plugin.id);
  return { id, slug, name, description, url, icon, fields, jobs, checks };
}

/** Returns the registration that the form describes. @throws Error if a default or the jobs are not valid JSON */
export function registrationOf(form: RegistrationForm): Registration {
  const { fields, jobs, checks } = form;
  return {
    ...textsOf(form),
    ...filled({ checks }),
    config_schema: fields.map(fieldOf),
    ...(jobs.trim() !== '' && { jobs: jobsOf(jobs) }),
  };
}

/** Returns the texts of a plugin, whose versions declare the rest. */
export function textsOf({ slug, name, description, url, icon }: RegistrationForm): Registration {
  return { slug: slug === '' ? null : slug, name, ...filled({ description, url, icon }) };
}

function fieldOf({
  key,
  type,
  choices,
  default: text,
  runtime_writable: isWritable,
  ...others
}: FieldForm): PluginField {
  return {
    key,
    type,
    ...filled(others),
    ...(others.secret && isWritable && { runtime_writable: true }),
    ...(text.trim() !== '' && { default: defaultOf(key, text) }),
    ...(type === 'choice' && { choices: choices.split('\n').filter((choice) => choice !== '') }),
  };
}

/** Keeps the texts and flags that are set. */
const filled = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value === true || (typeof value === 'string' && value !== ''),
    ),
  );

function defaultOf(key: string, text: string): Json {
  try {
    return parseExactly(text) as Json;
  } catch (error) {
    throw new Error(
      `The default of "${key}" is not valid: ${(error as Error).message}. Put text in quotes: "${text.trim()}".`,
      { cause: error },
    );
  }
}

function jobsOf(text: string): Registration['jobs'] {
  try {
    return parseExactly(text) as Registration['jobs'];
  } catch (error) {
    throw new Error(`The jobs are not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** Says what a registration means for the records of the plugin. */
export function registeredText({ name, records: { total, invalid } }: RegistrationResult): string {
  const registered = `${name} was registered.`;
  if (total === 0) return registered;
  const all = `It has ${recordsText(total)}`;
  if (invalid === null) return `${registered} ${all}, too many to count the invalid ones.`;
  if (invalid === 0) return `${registered} ${all}, none of them invalid.`;
  return `${registered} ${all}. ${formatCount(invalid)} ${invalid === 1 ? 'is' : 'are'} invalid: the schema rejects the configuration.`;
}
