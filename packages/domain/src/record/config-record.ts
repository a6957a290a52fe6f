import { DomainError } from '../kernel/domain-error.ts';
import { checkText, utf8Length } from '../kernel/text.ts';
import type { RecordRef } from '../project/family.ts';

/** The fields that a request may write. */
export interface RecordFields {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly deleted: boolean;
}

export interface ConfigRecord extends RecordRef, RecordFields {
  /** JSON text with masked secrets. */
  readonly config: string;
  readonly error: string | null;
  /** JSON text of the registered plugin. */
  readonly pluginInfo: string | null;
  readonly deliveryRate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Raised by each change; a reported rate or error is no change. */
  readonly version: number;
  /** Raised by each write of the stored configuration. */
  readonly configVersion: number;
  /** The plugins that it was attached to before. What they declare secret is masked, too. */
  readonly formerPlugins: readonly number[];
  /**
   * The version of the registry at the last registration or removal of its plugin or a former one, on which the masks
   * depend; null if there was none.
   */
  readonly pluginVersion: number | null;
}

/** The size of the texts of a record in UTF-8. */
export function recordBytes({ config, error, pluginInfo, name, description }: ConfigRecord): number {
  const texts = [config, error, pluginInfo, name, description];
  return texts.reduce((sum, text) => sum + (text === null ? 0 : utf8Length(text)), 0);
}

/** A record that is not stored yet. Its `order` is null if the store assigns the next one. */
export type RecordDraft = Omit<RecordFields, 'order'> & { readonly order: number | null };

/** The fields that a request sets; the others are absent or undefined. */
export type RecordChange = { readonly [K in keyof RecordFields]?: RecordFields[K] | undefined };

export const NAME_MAX = 400;
export const DESCRIPTION_MAX = 1000;
export const INTEGER_MAX = 2_147_483_647;

export function draftRecord(fields: RecordChange): RecordDraft {
  if (fields.plugin === undefined) {
    throw new DomainError('required', 'This field is required.', { attr: 'plugin' });
  }
  checkTexts(fields);
  const deleted = fields.deleted ?? false;
  return {
    plugin: fields.plugin,
    enabled: !deleted && (fields.enabled ?? false),
    order: fields.order ?? null,
    name: fields.name ?? null,
    description: fields.description ?? null,
    deleted,
  };
}

/** The change that replaces a record as a whole: absent fields get their defaults, except `order`, which stays. */
export function replacementOf(wanted: RecordChange): RecordChange {
  const { order: _, ...fields } = draftRecord(wanted);
  return { ...fields, order: wanted.order };
}

/** A record without what the store gives each change of it. */
export type UnversionedRecord = Omit<ConfigRecord, 'version' | 'updatedAt'>;

/** The record after the change; the same object if nothing changes. */
export function changeRecord(record: UnversionedRecord, change: RecordChange): UnversionedRecord {
  checkTexts(change);
  const fields = changedFields(record, change);
  const keys = Object.keys(fields) as (keyof RecordFields)[];
  if (keys.every((key) => fields[key] === record[key])) return record;
  return { ...record, ...fields };
}

const FORMER_PLUGINS_MAX = 100;

/** The former plugins of a record that is attached to another one. */
export function formerPluginsAfter({ plugin, formerPlugins }: UnversionedRecord): readonly number[] {
  if (formerPlugins.includes(plugin)) return formerPlugins;
  if (formerPlugins.length < FORMER_PLUGINS_MAX) return [...formerPlugins, plugin];
  const message = `The record was attached to ${FORMER_PLUGINS_MAX} other plugins before. Create a new record instead.`;
  throw new DomainError('invalid_input', message, { attr: 'plugin' });
}

function changedFields(record: RecordFields, change: RecordChange): RecordFields {
  const deleted = change.deleted ?? record.deleted;
  if (change.enabled === true && deleted && change.deleted === undefined) {
    throw new DomainError(
      'invalid_input',
      'A deleted record cannot be enabled; restore it with "deleted": false.',
      {
        attr: 'enabled',
      },
    );
  }
  return {
    plugin: change.plugin ?? record.plugin,
    enabled: !deleted && (change.enabled ?? record.enabled),
    order: change.order ?? record.order,
    name: change.name === undefined ? record.name : change.name,
    description: change.description === undefined ? record.description : change.description,
    deleted,
  };
}

/** Checks the texts of a change. Needs no record. */
export function checkTexts({ name, description }: RecordChange): void {
  if (name != null) checkText(name, { attr: 'name', max: NAME_MAX });
  if (description != null) checkText(description, { attr: 'description', max: DESCRIPTION_MAX });
}

/** The versions that the caller accepts; null accepts any. */
export type Precondition = readonly number[] | null;

export function checkPrecondition(precondition: Precondition, version: number): void {
  if (precondition !== null && !precondition.includes(version)) {
    throw new DomainError(
      'stale_version',
      'It has changed since: its current ETag is not the one in If-Match.',
    );
  }
}
