import * as z from 'zod';
import { configRecord } from './config-record.ts';
import { givesNone, order, writableFields } from './record-fields.ts';

const ID = /^[1-9]\d{0,15}$/;
const { order: asked, ...others } = writableFields;

const positions = z.preprocess(
  (given, ctx) => {
    if (hasPrototypeKey(given)) ctx.issues.push(notAnId('__proto__'));
    return given;
  },
  z.record(z.string().regex(ID), order),
);

const bothForms = z.object({
  order: asked,
  ...others,
  orders: positions
    .optional()
    .meta({ description: 'The older form: new positions by the ids of their records.' }),
});

/** Moves the one record that the other fields tell or, in the older form, sets the positions of all named ones. */
export const rearrangeBody = bothForms
  .transform(({ order: to, orders, ...wanted }, ctx) => {
    if (orders !== undefined && to === undefined && givesNone(wanted)) {
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
export const rearrangeAnswer = z.union([configRecord, z.array(configRecord)]);

export type RearrangeBody = z.output<typeof rearrangeBody>;

/** A record schema skips this one key without a word. */
function hasPrototypeKey(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}

function notAnId(key: string): z.core.$ZodRawIssue {
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
