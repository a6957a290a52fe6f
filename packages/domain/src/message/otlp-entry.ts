import { storableText } from '../log/storable-text.ts';
import { canonicalUuid } from './uuid.ts';

// Converts OpenTelemetry (OTLP) log records to log entries.

/** A bytes value, as base64. */
export class OtlpBytes {
  readonly base64: string;

  constructor(base64: string) {
    this.base64 = base64;
  }
}

/** An `AnyValue`. Integers are `bigint`, all other numbers are doubles. */
export type OtlpValue =
  | string
  | boolean
  | bigint
  | number
  | null
  | OtlpBytes
  | readonly OtlpValue[]
  | ReadonlyMap<string, OtlpValue>;

const PLUGIN_CONFIG_ID = 'plugin_config.id';
const RECORD_UID = 'log.record.uid';
const INSTANCE_ID = 'service.instance.id';

/** The attributes in use. Readers skip the values of all others. */
export const OTLP_ATTRIBUTES: ReadonlySet<string> = new Set([PLUGIN_CONFIG_ID, RECORD_UID, INSTANCE_ID]);

export type OtlpAttributes = ReadonlyMap<string, OtlpValue>;

/** The parts of a log record that an entry is made of. */
export interface OtlpLogRecord {
  /** Since 1970; 0 if absent. */
  readonly timeUnixNano: bigint;
  readonly observedTimeUnixNano: bigint;
  /** 0 if absent. */
  readonly severityNumber: number;
  readonly message: string;
  readonly attributes: OtlpAttributes;
}

export interface OtlpOrigin {
  readonly resource: OtlpAttributes;
  readonly scope: OtlpAttributes;
}

interface Receipt extends OtlpOrigin {
  readonly receivedAt: Date;
  /** Derives an id for a record without one. */
  readonly newId: () => string;
}

/** An entry in NDJSON form. */
export interface OtlpEntry {
  /** Null if no attribute has a plugin config id: such an entry becomes a dead letter. */
  readonly plugin_config_id: number | null;
  readonly id: string;
  readonly timestamp: string;
  readonly type: string;
  readonly message: string;
  readonly instance_id?: string;
}

const NANOSECONDS = 1_000_000n;

export function otlpEntry(record: OtlpLogRecord, { resource, scope, receivedAt, newId }: Receipt): OtlpEntry {
  const named = [record.attributes, scope, resource].find((attributes) => attributes.has(PLUGIN_CONFIG_ID));
  const nanoseconds = otlpTime(record);
  const instanceId = uuidAt(resource, INSTANCE_ID);
  return {
    plugin_config_id: recordIdOf(named?.get(PLUGIN_CONFIG_ID)),
    id: uuidAt(record.attributes, RECORD_UID) ?? newId(),
    timestamp: (nanoseconds === 0n ? receivedAt : new Date(Number(nanoseconds / NANOSECONDS))).toISOString(),
    type: typeOf(record.severityNumber),
    message: record.message,
    ...(instanceId !== null && { instance_id: instanceId }),
  };
}

/**
 * Returns the time of a record or, if absent, of its observation, in nanoseconds since 1970; 0 if both are
 * absent.
 */
export function otlpTime({ timeUnixNano, observedTimeUnixNano }: OtlpLogRecord): bigint {
  return timeUnixNano === 0n ? observedTimeUnixNano : timeUnixNano;
}

/** Returns the message for a body: strings unchanged, null as an empty string, and anything else as JSON. */
export function otlpMessage(body: OtlpValue): string {
  if (body === null) return '';
  return storableText(typeof body === 'string' ? body : jsonOf(body));
}

/** Writes JSON with every digit of an integer. NaN and infinities, which JSON lacks, become strings. */
function jsonOf(value: OtlpValue): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return JSON.stringify(Number.isFinite(value) ? value : String(value));
  if (value instanceof OtlpBytes) return JSON.stringify(value.base64);
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, OtlpValue>)];
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${jsonOf(member)}`).join(',')}}`;
  }
  return Array.isArray(value) ? `[${value.map(jsonOf).join(',')}]` : JSON.stringify(value);
}

function recordIdOf(value: OtlpValue | undefined): number | null {
  const isWhole = typeof value === 'bigint' || (typeof value === 'string' && /^\d{1,16}$/.test(value));
  const id = isWhole ? Number(value) : 0;
  return Number.isSafeInteger(id) && id >= 1 ? id : null;
}

function uuidAt(attributes: OtlpAttributes, name: string): string | null {
  const value = attributes.get(name);
  return typeof value === 'string' ? canonicalUuid(value) : null;
}

/** The lowest severity of each type. */
const TYPES = [
  [17, 'ERROR'],
  [13, 'WARN'],
  [9, 'INFO'],
  [1, 'DEBUG'],
] as const;
const SEVERITY_MAX = 24;

function typeOf(severity: number): string {
  if (severity > SEVERITY_MAX) return 'LOG';
  return TYPES.find(([lowest]) => severity >= lowest)?.[1] ?? 'LOG';
}
