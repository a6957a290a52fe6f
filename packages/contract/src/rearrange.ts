import * as z from 'zod';
import { configRecord } from './config-record.ts';
import { INTEGER_MAX } from './integer.ts';
import { isEmptyChange, order, writableFields } from './record-fields.ts';
import { wireDetail } from './wire-detail.ts';

const ID = /^[1-9]\d{0,15}$/;
const { order: optionalOrder, ...others } = writableFields;

const entry = z.record(z.string().regex(ID), order);

/** New positions by id. The check ends at the first wrong entry; a plain `z.record` would collect every error. */
const positions = z
  .custom<z.output<typeof entry>>()
  .check(({ value, issues }) => void issues.push(...wrongOf(value)))
  .meta({
    type: 'object',
    propertyNames: { type: 'string', pattern: ID.source, maxLength: 16 },
    additionalProperties: {
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: INTEGER_MAX,
      description: order.description,
    },
  });

const bothForms = z.object({
  order: optionalOrder,
  ...others,
  orders: positions
    .optional()
    .meta({ description: 'The older form: new positions by the ids of their records.' }),
});

/** Moves the one record that the other fields identify or, in the older form, sets the positions of several records. */
export const rearrangeBody = bothForms
  .transform(({ order: to, orders, ...wanted }, ctx) => {
    if (orders !== undefined && to === undefined && isEmptyChange(wanted)) {
      return {
        kind: 'orders' as const,
        orders: new Map(Object.entries(orders).map(([id, n]) => [Number(id), n])),
      };
    }
    if (orders === undefined && to !== undefined && wanted.plugin !== undefined) {
      return { kind: 'move' as const, order: to, wanted };
    }
    ctx.issues.push(
      orders === undefined ? missing(to === undefined ? 'order' : 'plugin') : contradiction(orders),
    );
    return z.NEVER;
  })
  .meta({
    id: 'RearrangeConfigRecords',
    description: '`order` and `plugin` are required, unless the older form is used: `orders` alone.',
  });

/** The moved record; in the older form all live records in their new order. */
export const rearrangeAnswer = z.union([configRecord, z.array(configRecord).meta({ maxItems: INTEGER_MAX })]);

export type RearrangeBody = z.output<typeof rearrangeBody>;

function wrongOf(value: unknown): readonly z.core.$ZodRawIssue[] {
  if (!isObject(value)) return [{ code: 'invalid_type', expected: 'record', input: value }];
  const id = Object.keys(value).find((key) => !(ID.test(key) && isPosition(value[key])));
  if (id === undefined) return [];
  return id === '__proto__' ? [invalidId(id)] : issuesOf({ [id]: value[id] });
}

/** The issues that the record schema reports. That schema silently skips the key `__proto__`. */
function issuesOf(wrong: Readonly<Record<string, unknown>>): readonly z.core.$ZodRawIssue[] {
  const { error } = entry.safeParse(wrong, { error: wireDetail, reportInput: true });
  return (error?.issues ?? []) as z.core.$ZodRawIssue[];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPosition(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= INTEGER_MAX;
}

function invalidId(key: string): z.core.$ZodRawIssue {
  return { code: 'invalid_key', origin: 'record', issues: [], input: key, path: [key] };
}

function missing(field: string): z.core.$ZodRawIssue {
  return { code: 'invalid_type', expected: 'number', input: undefined, path: [field] };
}

function contradiction(input: unknown): z.core.$ZodRawIssue {
  return {
    code: 'custom',
    input,
    path: ['orders'],
    message: 'Give either orders or the fields of one record, not both.',
  };
}
