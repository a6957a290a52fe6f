import type { Json, PluginField, RegisteredPlugin, Registration } from '@plugin-config/client';
import { parseExactly } from '../../editing/exact-json.ts';

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
  readonly site: boolean;
}

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

/** Returns the form of a registered plugin, or an empty one. */
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

/** Returns the registration that the form describes. @throws Error if a default is not valid JSON */
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
      `The default of "${key}" is not valid: ${(error as Error).message}. Put text in quotes: "${text.trim()}".`,
      { cause: error },
    );
  }
}
