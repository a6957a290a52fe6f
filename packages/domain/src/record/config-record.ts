import { DomainError, invalidInput } from '../kernel/domain-error.ts';
import { checkText, utf8Length } from '../kernel/text.ts';
import type { Attachment } from '../plugin/plugin.ts';
import type { RecordRef } from '../project/family.ts';
import { perText, RECORD_TEXTS, RECORD_TEXTS_MAX, type RecordText } from '../vocabulary/vocabulary.ts';

export type RecordTexts = Readonly<Record<RecordText, string | null>>;

/** The writable fields. */
export interface RecordFields extends RecordTexts {
  readonly plugin: number;
  readonly enabled: boolean;
  readonly order: number;
  readonly deleted: boolean;
}

export interface ConfigRecord extends RecordRef, RecordFields, Attachment {
  /** JSON text, with the defaults of the plugin, and with secrets masked. */
  readonly config: string;
  readonly error: string | null;
  /** JSON text of the registered plugin. */
  readonly pluginInfo: string | null;
  readonly deliveryRate: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Bumped by each change. Reported errors and delivery rates do not count as changes. */
  readonly version: number;
  /** Bumped by each write of the stored configuration. */
  readonly configVersion: number;
}

/** Returns the size of the texts of a record, in bytes of UTF-8. */
export function recordBytes(record: ConfigRecord): number {
  const { config, error, pluginInfo } = record;
  const texts = [config, error, pluginInfo, ...RECORD_TEXTS.map((text) => record[text])];
  return texts.reduce((sum, text) => sum + (text === null ? 0 : utf8Length(text)), 0);
}

export type RecordDraft = Omit<RecordFields, 'order'> & {
  /** Null if the store assigns the next position. */
  readonly order: number | null;
  /** The version of the plugin that the record is pinned to. */
  readonly pinnedVersion?: string;
};

/** The fields that a request sets; the others are absent or undefined. */
export type RecordChange = { readonly [K in keyof RecordFields]?: RecordFields[K] | undefined };

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
    ...perText((text) => fields[text] ?? null),
    deleted,
  };
}

/** Returns the change that replaces a record: absent fields get their defaults, except `order`, which is kept. */
export function replacementOf(wanted: RecordChange): RecordChange {
  const { order: _, ...fields } = draftRecord(wanted);
  return { ...fields, order: wanted.order };
}

/** A record without the fields that the store sets on each change. */
export type UnversionedRecord = Omit<ConfigRecord, 'version' | 'updatedAt'>;

/** Returns the record after the change, or the same object if nothing changes. */
export function changeRecord(record: UnversionedRecord, change: RecordChange): UnversionedRecord {
  checkTexts(change);
  const fields = changedFields(record, change);
  const keys = Object.keys(fields) as (keyof RecordFields)[];
  if (keys.every((key) => fields[key] === record[key])) return record;
  return { ...record, ...fields };
}

/**
 * Whether the plugin of a record has to accept its configuration after a change. An enabled record is valid, but may become
 * invalid by a later schema: it may stay so until it is enabled, configured or attached to another plugin.
 */
export function mustBeValid(
  before: Pick<RecordFields, 'plugin' | 'enabled'> | null,
  after: Pick<RecordFields, 'plugin' | 'enabled'>,
  isConfigured: boolean,
): boolean {
  return after.enabled && (isConfigured || before?.enabled !== true || before.plugin !== after.plugin);
}

const FORMER_PLUGINS_MAX = 100;

export function formerPluginsAfter({ plugin, formerPlugins }: UnversionedRecord): readonly number[] {
  if (formerPlugins.includes(plugin)) return formerPlugins;
  if (formerPlugins.length < FORMER_PLUGINS_MAX) return [...formerPlugins, plugin];
  const message = `The record was attached to ${FORMER_PLUGINS_MAX} other plugins before. Create a new record instead.`;
  throw invalidInput('plugin', message);
}

function changedFields(record: RecordFields, change: RecordChange): RecordFields {
  const deleted = change.deleted ?? record.deleted;
  if (change.enabled === true && deleted && change.deleted === undefined) {
    throw invalidInput('enabled', 'A deleted record cannot be enabled; restore it with "deleted": false.');
  }
  return {
    plugin: change.plugin ?? record.plugin,
    enabled: !deleted && (change.enabled ?? record.enabled),
    order: change.order ?? record.order,
    ...perText((text) => (change[text] === undefined ? record[text] : change[text])),
    deleted,
  };
}

export function checkTexts(change: RecordChange): void {
  for (const attr of RECORD_TEXTS) {
    const text = change[attr];
    if (text != null) checkText(text, { attr, max: RECORD_TEXTS_MAX[attr] });
  }
}

/** The versions that the caller accepts; null accepts any. */
export type Precondition = readonly number[] | null;

export function checkPrecondition(precondition: Precondition, version: number): void {
  if (precondition !== null && !precondition.includes(version)) {
    throw new DomainError(
      'stale_version',
      'The resource has changed: its current ETag does not match If-Match.',
    );
  }
}
