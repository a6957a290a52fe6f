// The closed lists of the service, and the limits of fields. The API, the domain and the checks in the database use them, so they
// have no imports. The order of a list is the order in the OpenAPI document.

interface FamilyTraits {
  /** Unique, starting at 0. */
  readonly number: number;
  /** Whether plugins write logs for the records. */
  readonly hasLog: boolean;
}

/** The families of records. They share one sequence of record ids, and are otherwise independent. */
export const FAMILY = {
  plugin_configs: { number: 0, hasLog: true },
  pipeline_transformation_configs: { number: 1, hasLog: false },
} as const satisfies Readonly<Record<string, FamilyTraits>>;

export type Family = keyof typeof FAMILY;

export const FAMILIES = Object.keys(FAMILY) as readonly Family[];

export const SCOPES = [
  'plugin:read',
  'plugin:write',
  'config:write',
  'plugin_log:write',
  'plugin_runtime',
  'key:write',
  'project:write',
  'plugin_registry:write',
  '*',
] as const;

export type Scope = (typeof SCOPES)[number];

/** The scopes of a key that is limited to plugins. All they allow can be narrowed to the records of a plugin. */
export const PLUGIN_SCOPES = ['plugin_log:write', 'plugin_runtime'] as const satisfies readonly Scope[];
/** The maximum number of plugins that a key is limited to. */
export const KEY_PLUGINS_MAX = 100;

/** How long a short-lived token lives, in seconds. */
export const TOKEN_SECONDS = { min: 1, max: 3600, default: 900 } as const;

/** The limits of a trust: characters of its issuer, its audience and the values of claims, and how many of them. */
export const TRUST_LIMITS = {
  value: 500,
  claims: 10,
  values: 20,
  minutes: { min: 1, max: 60, default: 15 },
} as const;

/** The activities by which people and documents change a record. */
export const EDITS_OF_RECORD = [
  'created',
  'updated',
  'enabled',
  'disabled',
  'deleted',
  'restored',
  'rearranged',
  'config_updated',
] as const;

/** The activities that change the record itself. A runtime writes secrets back, which no document has to know. */
export const CHANGES_OF_RECORD = [...EDITS_OF_RECORD, 'config_written'] as const;

/** What happens to the jobs of a record. */
const JOB_ACTIVITIES = ['job_queued', 'job_succeeded', 'job_failed', 'job_cancelled'] as const;

export const ACTIVITIES = [...CHANGES_OF_RECORD, ...JOB_ACTIVITIES] as const;

export type Activity = (typeof ACTIVITIES)[number];

export const AUDIT_ACTIONS = [
  'key_issued',
  'key_revoked',
  'trust_created',
  'trust_changed',
  'trust_deleted',
  'token_exchanged',
  'signed_in',
  'sessions_ended',
  'project_created',
  'project_renamed',
  'project_external_id_changed',
  'project_quota_changed',
  'project_deleted',
  'plugin_registered',
  'plugin_removed',
  'plugin_version_registered',
  'plugin_version_changed',
  'plugin_upgrade_started',
  'plugin_upgrade_cancelled',
  'alert_created',
  'alert_changed',
  'alert_deleted',
  'webhook_created',
  'webhook_changed',
  'webhook_deleted',
  'webhook_rotated',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The subjects of administrative changes. */
export const AUDIT_SUBJECTS = ['key', 'trust', 'user', 'project', 'plugin', 'alert', 'webhook'] as const;

export type AuditSubjectType = (typeof AUDIT_SUBJECTS)[number];

/** The states of a version of a plugin. Nobody can choose a withdrawn one. */
export const VERSION_STATES = ['current', 'supported', 'deprecated', 'withdrawn'] as const;

export type VersionState = (typeof VERSION_STATES)[number];

/** What an upgrade would do to a record. "Unsupported" means that a runtime does not understand the schema. */
export const UPGRADE_STATUSES = [
  'up_to_date',
  'clean',
  'lossy',
  'needs_input',
  'unsupported',
  'pinned',
] as const;

export type UpgradeStatus = (typeof UPGRADE_STATUSES)[number];

/** The limits of an upgrade plan: the records that it names, and for each of them the items of a list and the runtimes. */
export const UPGRADE_PLAN_LIMITS = { records: 100, items: 100, runtimes: 10 } as const;

export const UPGRADE_STATES = ['running', 'succeeded', 'cancelled'] as const;

export type UpgradeState = (typeof UPGRADE_STATES)[number];

/** The form of a plugin's version: a semantic version, a date or another name. */
export const PLUGIN_VERSION = '[A-Za-z0-9][A-Za-z0-9._+~-]{0,63}';
export const PLUGIN_VERSION_MAX = 64;

/** The limits of the versions of a plugin: how many it has, the last schema version, and the examples of a version. */
export const PLUGIN_VERSION_LIMITS = {
  versions: 200,
  schemaVersion: 10_000,
  examples: 20,
  exampleBytes: 16 * 1024,
  message: 1000,
} as const;

/** The types of the fields in the configuration schema of a plugin. */
export const FIELD_TYPES = ['string', 'number', 'boolean', 'choice', 'json'] as const;

export type FieldType = (typeof FIELD_TYPES)[number];

/** What happens to a record. `move` means that only its position changes. */
export const PLAN_ACTIONS = ['create', 'update', 'delete', 'restore', 'move'] as const;

export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** The states of a secret, which a plan reports instead of its value. `unknown` means that no value was sent or stored. */
export const SECRET_STATES = ['set', 'changed', 'unchanged', 'cleared', 'unknown'] as const;

export type SecretState = (typeof SECRET_STATES)[number];

export const ENDED_JOB_STATES = ['succeeded', 'failed', 'cancelled'] as const;

export const JOB_STATES = ['queued', 'running', ...ENDED_JOB_STATES] as const;

export type JobState = (typeof JOB_STATES)[number];

/** The form of the types of jobs that runtimes take. */
export const JOB_TYPE = '[a-z][a-z0-9_-]{0,62}';

/** The type of a check of a configuration, which is no job of a record. */
export const CHECK = 'check';

export const JOB_LIMITS = {
  types: 50,
  timeoutSeconds: { min: 10, max: 86_400 },
  leaseSeconds: { min: 10, max: 600 },
  claimed: { min: 1, max: 10 },
  bytes: 64 * 1024,
  message: 1000,
} as const;

/** What a runtime can say of a job that it has ended. */
export const RESULT_STATES = ['succeeded', 'failed'] as const satisfies readonly JobState[];

export type ResultState = (typeof RESULT_STATES)[number];

/** Well-known sources and types of log entries. Others of the same form are accepted too. */
export const LOG_SOURCES = ['SYSTEM', 'PLUGIN', 'CONSOLE'] as const;
export const LOG_TYPES = ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'] as const;

/** Counts all types that are not in `LOG_TYPES`. */
export const OTHER_TYPE = 'other';

export type CountedType = (typeof LOG_TYPES)[number] | typeof OTHER_TYPE;

/** Bucket widths in milliseconds. Buckets are aligned to UTC. */
export const BUCKET_MS = { '5m': 300_000, hour: 3_600_000, day: 86_400_000 } as const;

export type Granularity = keyof typeof BUCKET_MS;

export const GRANULARITIES = Object.keys(BUCKET_MS) as readonly Granularity[];
/** The widths of the buckets in which log entries are counted. */
export const LOG_GRANULARITIES = ['hour', 'day'] as const satisfies readonly Granularity[];

export const BUCKETS_MAX = 1500;

/** The maximum number of failed deliveries in a report, and of bytes of their references and reasons. */
export const FAILED_DELIVERIES_MAX = { perReport: 100, textBytes: 200 };

/** How many failed deliveries are kept of a record, and of all records of a project. */
export const FAILED_KEPT_MAX = { perRecord: 1000, perProject: 10_000 };

export const RUNTIME_STATUSES = ['applied', 'failed'] as const;

export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number];

/**
 * Why a stream cannot resume at the reader's cursor. `plugin_changed`: the registration of a plugin changed what
 * records show.
 */
export const RESET_REASONS = ['malformed_cursor', 'unknown_cursor', 'plugin_changed'] as const;

export type ResetReason = (typeof RESET_REASONS)[number];

export const SIGNALS = [
  'delivery_rate',
  'log',
  'error',
  'silence',
  'runtime',
  'offline',
  'outdated',
] as const;

export type Signal = (typeof SIGNALS)[number];

/** The actions of an alert, apart from opening an incident. */
export const ALERT_ACTIONS = ['notify', 'disable'] as const;

export type AlertAction = (typeof ALERT_ACTIONS)[number];

/** Why all incidents of an alert are closed. */
export const CLOSING_REASONS = ['deleted', 'changed'] as const;

export type ClosingReason = (typeof CLOSING_REASONS)[number];

/**
 * Why an incident was closed: the record recovered, was disabled or deleted, or the alert was deleted (`deleted`) or
 * changed.
 */
export const INCIDENT_REASONS = ['recovered', 'disabled', ...CLOSING_REASONS] as const;

export type IncidentReason = (typeof INCIDENT_REASONS)[number];

/** The limits of the fields of an alert. */
export const ALERT_LIMITS = {
  logThreshold: { min: 1, max: 10_000 },
  onlineThreshold: { min: 1, max: 1000 },
  window: { min: 5, max: 24 * 60 },
  samples: { min: 0, max: 1_000_000 },
  evaluations: { min: 1, max: 10 },
} as const;

const RECORD_EVENTS = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.disabled_by_alert',
] as const;

/** The events that a webhook can be configured for. */
export const WEBHOOK_EVENTS = [
  'incident.opened',
  'incident.closed',
  ...RECORD_EVENTS,
  'project.quota_reached',
  'plugin.deprecated',
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The event of a delivery that a caller requests to test a webhook. */
export const TEST_EVENT = 'webhook.test';

export type DispatchType = WebhookEvent | typeof TEST_EVENT;

export const DISPATCH_STATES = ['pending', 'delivered', 'failed'] as const;

export type DispatchState = (typeof DISPATCH_STATES)[number];

/** Why the service disabled a webhook: its receiver responded with 410, or has failed for too long. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const ERASURE_STATES = ['running', 'done'] as const;

export type ErasureState = (typeof ERASURE_STATES)[number];

/** The kinds of rows that are counted while a project is erased. */
export const ERASED_KINDS = [
  'records',
  'revisions',
  'activity',
  'jobs',
  'log_entries',
  'dead_letters',
  'kept_responses',
  'runtimes',
  'alerts',
  'incidents',
  'webhooks',
  'deliveries',
  'keys',
] as const;

export type ErasedKind = (typeof ERASED_KINDS)[number];

/** The codes of an error in one field. They are the same in the API. */
export const FIELD_ERRORS = [
  'required',
  'null',
  'blank',
  'invalid_input',
  'max_length',
  'min_value',
  'max_value',
] as const;

export type FieldError = (typeof FIELD_ERRORS)[number];

/** The codes of the domain's errors that responses have, too. */
export const SHARED_ERRORS = [
  'not_authenticated',
  'authentication_failed',
  'not_found',
  ...FIELD_ERRORS,
  'does_not_exist',
  'already_exists',
  'job_not_queued',
  'lease_lost',
  'runtime_behind',
  'idempotency_mismatch',
  'idempotency_in_flight',
  'throttled',
  'unavailable',
] as const;

/** Those that only documents cause. */
export const DOCUMENT_ERRORS = ['managed_by_another', 'prevent_destroy', 'too_many_deletes'] as const;

/** The maximum value of an integer that callers choose, such as the id of a plugin or a position. */
export const INTEGER_MAX = 2_147_483_647;

/** The texts that describe a record, which callers set and revisions keep, with their maximum lengths in code points. */
export const RECORD_TEXTS_MAX = { name: 400, description: 1000 } as const;
export type RecordText = keyof typeof RECORD_TEXTS_MAX;
export const RECORD_TEXTS = Object.keys(RECORD_TEXTS_MAX) as readonly RecordText[];

/** Returns an object with a value for each text. */
export function perText<T>(valueOf: (text: RecordText) => T): Readonly<Record<RecordText, T>> {
  return { name: valueOf('name'), description: valueOf('description') };
}
/** The maximum length of the name of a project or an alert, or the label of a key, in code points. */
export const LABEL_MAX = 200;
/** The maximum length of a user's subject, as in OpenID Connect. */
export const USER_SUBJECT_MAX = 255;
export const WEBHOOK_URL_MAX = 2000;
/** The maximum number of positions that one request can set. */
export const REARRANGE_MAX = 10_000;
/** The maximum number of records in a document, and in requests and responses that name owned records. */
export const DECLARED_MAX = 2_000;
/**
 * The manager of imported records. Its documents come from a product's own table, not from a repository: they may hold secrets in
 * plain text, need no plan, and delete nothing.
 */
export const IMPORT_MANAGER = 'import';
/** The name by which a document refers to a secret. */
export const SECRET_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/** The maximum number of records of a plugin up to which a registration counts rejected records, and that a plan judges. */
export const COUNTED_RECORDS_MAX = 10_000;
/** The maximum size of a configuration, which can consist of a single key. */
export const CONFIGURATION_MAX_BYTES = 256 * 1024;

/** The maximum size of a JSON Schema, as compact JSON. */
export const JSON_SCHEMA_MAX_BYTES = 64 * 1024;

/** The maximum length of a pattern, in a JSON Schema or a migration. */
export const PATTERN_MAX = 300;

/** The limits of the migrations of a plugin's version. */
export const MIGRATION_LIMITS = {
  /** Of all migrations of the version. */
  steps: 200,
  bytes: 64 * 1024,
  key: 200,
  /** The parts of a path. */
  depth: 10,
  /** The groups of a pattern that become numbers. */
  numbers: 20,
} as const;

/** The form of an id that somebody else's product gives to a project. */
export const EXTERNAL_ID_MAX = 100;
export const EXTERNAL_ID = '[A-Za-z0-9][A-Za-z0-9._:-]{0,99}';
export const EXTERNAL_ID_EXPECTED =
  'An external id has 1 to 100 letters, digits or any of . _ : - and begins with a letter or digit.';

/** Precedes an external id in paths and bodies. */
export const EXTERNAL_PREFIX = 'ext:';

/** A project by its external id. */
export type ExternalRef = `ext:${string}`;

/** A project in a path; `current` is the one with the lowest id that the key may see. */
export type ProjectRef = number | 'current' | ExternalRef;

/** The form of a name that identifies a plugin in addition to its id. */
export const SLUG_MAX = 63;
export const SLUG = '[a-z0-9][a-z0-9-]{0,62}';
export const SLUG_EXPECTED =
  'A slug has 1 to 63 lower-case letters, digits or hyphens and begins with a letter or digit.';

/** Precedes a slug in paths, bodies and parameters. */
export const SLUG_PREFIX = 'slug:';

/** A plugin, by its id or its slug. */
export type PluginRef = number | `slug:${string}`;

/** The maximum number of changed fields that the overview of a project names of a change. */
export const OVERVIEW_FIELDS_MAX = 20;

/** How many of each an overview of a record lists. */
export const RECORD_OVERVIEW_MAX = { incidents: 20, runtimes: 20, changes: 6 } as const;
