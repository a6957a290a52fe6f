import * as z from 'zod';
import { INTEGER_MAX, REARRANGE_MAX } from '@plugin-config/domain/vocabulary';
import { configRecord } from './config-record.ts';
import { boundedMap } from './bounded-map.ts';
import { isEmptyChange, order, writableFields } from './record-fields.ts';

/** A family with more records cannot be rearranged. */
const ID = /^[1-9]\d{0,15}$/;
const { order: optionalOrder, ...otherFields } = writableFields;

/** New positions by id. */
const positions = boundedMap(z.string().regex(ID), order, REARRANGE_MAX).meta({
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
  ...otherFields,
  orders: positions.optional().meta({ description: 'The older form: new positions by record id.' }),
});

/** Moves the record that the other fields identify or, in the older form, sets the positions of several records. */
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
      orders === undefined ? missingField(to === undefined ? 'order' : 'plugin') : ambiguousForm(orders),
    );
    return z.NEVER;
  })
  .meta({
    id: 'RearrangeConfigRecords',
    description: '`order` and `plugin` are required, unless the older form, `orders` alone, is used.',
  });

/** The moved record; in the older form, all live records in their new order. */
export const rearrangeResponse = z.union([
  configRecord,
  z.array(configRecord).meta({ maxItems: INTEGER_MAX }),
]);

function missingField(field: string): z.core.$ZodRawIssue {
  return { code: 'invalid_type', expected: 'number', input: undefined, path: [field] };
}

function ambiguousForm(input: unknown): z.core.$ZodRawIssue {
  return {
    code: 'custom',
    input,
    path: ['orders'],
    message: 'Give either orders or the fields of one record, not both.',
  };
}
