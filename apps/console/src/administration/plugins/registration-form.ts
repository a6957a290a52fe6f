import type { Json, PluginField, RegisteredPlugin, Registration } from '@plugin-config/client';
import { parseExactly } from '../../editing/exact-json.ts';

/** A field of the schema as the form holds it: texts, until it is sent. */
export interface FieldForm {
  /** Tells the fields of the form apart, whatever their keys are. */
  readonly row: number;
  readonly key: string;
  readonly type: PluginField['type'];
  readonly name: string;
  readonly hint: string;
  /** JSON text; empty for none. */
  readonly default: string;
  /** One a line. */
  readonly choices: string;
  readonly required: boolean;
  readonly secret: boolean;
  readonly site: boolean;
}

/** The form of a registration. */
export interface RegistrationForm {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly icon: string;
  readonly fields: readonly FieldForm[];
}

export const TYPES = ['string', 'number', 'boolean', 'choice', 'json'] as const;

export function emptyField(row: number): FieldForm {
  const texts = { key: '', name: '', hint: '', default: '', choices: '' };
  return { row, type: 'string', ...texts, required: false, secret: false, site: false };
}

/** The form of a plugin as it is registered; an empty one for a new plugin. */
export function formOf(plugin: RegisteredPlugin | null): RegistrationForm {
  return {
    name: plugin?.name ?? '',
    description: plugin?.description ?? '',
    url: plugin?.url ?? '',
    icon: plugin?.icon ?? '',
    fields: (plugin?.config_schema ?? []).map((field, row) => ({
      row,
      key: field.key,
      type: field.type,
      name: field.name ?? '',
      hint: field.hint ?? '',
      default: field.default === undefined ? '' : JSON.stringify(field.default),
      choices: (field.choices ?? []).join('\n'),
      required: field.required === true,
      secret: field.secret === true,
      site: field.site === true,
    })),
  };
}

/** The registration that the form asks for. @throws Error if a default is no JSON */
export function registrationOf({ name, fields, ...texts }: RegistrationForm): Registration {
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  return { name, ...Object.fromEntries(filled), config_schema: fields.map(fieldOf) };
}

function fieldOf({
  key,
  type,
  name,
  hint,
  choices,
  required,
  secret,
  site,
  ...form
}: FieldForm): PluginField {
  return {
    key,
    type,
    ...(name !== '' && { name }),
    ...(hint !== '' && { hint }),
    ...(form.default.trim() !== '' && { default: defaultOf(key, form.default) }),
    ...(type === 'choice' && { choices: choices.split('\n').filter((choice) => choice !== '') }),
    ...(required && { required }),
    ...(secret && { secret }),
    ...(site && { site }),
  };
}

function defaultOf(key: string, text: string): Json {
  try {
    return parseExactly(text) as Json;
  } catch (error) {
    throw new Error(
      `The default of "${key}" cannot be taken: ${(error as Error).message}. A text stands in quotes: "${text.trim()}".`,
      { cause: error },
    );
  }
}
