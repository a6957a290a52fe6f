import { DomainError } from '../kernel/domain-error.ts';
import { checkText, utf8Length } from '../kernel/text.ts';
import type { RecordRef } from '../project/family.ts';

/** What a request may write. */
export interface RecordFields {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly deleted: boolean;
}

export interface ConfigRecord extends RecordRef, RecordFields {
  /** JSON text; secret values are masked in it, and kept elsewhere. */
  readonly config: string;
  readonly error: string | null;
  /** JSON text of what is registered about the plugin. */
  readonly pluginInfo: string | null;
  readonly deliveryRate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Raised by each change; reports of rates and errors are none. */
  readonly version: number;
  /** Raised whenever the stored configuration changes, also where that is no change of the record: sealing is none. */
  readonly configRevision: number;
  /** Another one each time that the plugin is registered; null where it is not registered. */
  readonly pluginRevision: number | null;
}

/** How many bytes (UTF-8) the texts of a record take. */
export function recordBytes({ config, error, pluginInfo, name, description }: ConfigRecord): number {
  const texts = [config, error, pluginInfo, name, description];
  return texts.reduce((sum, text) => sum + (text === null ? 0 : utf8Length(text)), 0);
}

/** A record before it is stored. Its `order` is null where the store is to take the next one. */
export type RecordDraft = Omit<RecordFields, 'order'> & { readonly order: number | null };

/** The given fields of a request; one that was not given is absent or undefined. */
export type RecordChange = { readonly [K in keyof RecordFields]?: RecordFields[K] | undefined };

export const NAME_MAX = 400;
export const DESCRIPTION_MAX = 1000;
export const INTEGER_MAX = 2_147_483_647;

export function draftRecord(given: RecordChange): RecordDraft {
  if (given.plugin === undefined) {
    throw new DomainError('required', 'This field is required.', { attr: 'plugin' });
  }
  checkTexts(given);
  const deleted = given.deleted ?? false;
  return {
    plugin: given.plugin,
    enabled: !deleted && (given.enabled ?? false),
    order: given.order ?? null,
    name: given.name ?? null,
    description: given.description ?? null,
    deleted,
  };
}

/** The change that replaces a record as a whole: what is not given gets its default, and only `order` stays as it is. */
export function replacementOf(given: RecordChange): RecordChange {
  const { order: _, ...fields } = draftRecord(given);
  return { ...fields, order: given.order };
}

/** The record after the change; the very same record where nothing changes. */
export function changeRecord(record: ConfigRecord, given: RecordChange, at: Date): ConfigRecord {
  checkTexts(given);
  const fields = changedFields(record, given);
  const keys = Object.keys(fields) as (keyof RecordFields)[];
  if (keys.every((key) => fields[key] === record[key])) return record;
  return { ...record, ...fields, updatedAt: at, version: record.version + 1 };
}

function changedFields(record: ConfigRecord, given: RecordChange): RecordFields {
  const deleted = given.deleted ?? record.deleted;
  if (given.enabled === true && deleted && given.deleted === undefined) {
    throw new DomainError(
      'invalid_input',
      'A deleted record cannot be enabled; restore it with "deleted": false.',
      {
        attr: 'enabled',
      },
    );
  }
  return {
    plugin: given.plugin ?? record.plugin,
    enabled: !deleted && (given.enabled ?? record.enabled),
    order: given.order ?? record.order,
    name: given.name === undefined ? record.name : given.name,
    description: given.description === undefined ? record.description : given.description,
    deleted,
  };
}

/** What can be refused without knowing any record. */
export function checkTexts({ name, description }: RecordChange): void {
  if (name != null) checkText(name, { attr: 'name', max: NAME_MAX });
  if (description != null) checkText(description, { attr: 'description', max: DESCRIPTION_MAX });
}
