import { describe, expect, test } from 'vitest';
import { rearrangeBody } from './rearrange.ts';
import { validate } from './validate.ts';

describe('the body of a rearrange request', () => {
  test('names one record and its new position', () => {
    expect(validate(rearrangeBody, { plugin: 7, order: 2, name: null, enabled: true }).value).toEqual({
      kind: 'move',
      order: 2,
      wanted: { plugin: 7, name: null, enabled: true },
    });
  });

  test('maps ids to positions in the older form', () => {
    expect(validate(rearrangeBody, { orders: { 43: 1, 42: 0 } }).value).toEqual({
      kind: 'orders',
      orders: new Map([
        [42, 0],
        [43, 1],
      ]),
    });
  });

  test('may be empty in the older form', () => {
    expect(validate(rearrangeBody, { orders: {} }).value).toEqual({ kind: 'orders', orders: new Map() });
  });

  test.each([
    [{}, 'required', 'order'],
    [{ plugin: 7 }, 'required', 'order'],
    [{ order: 1 }, 'required', 'plugin'],
    [{ order: null, plugin: 7 }, 'null', 'order'],
    [{ order: '1', plugin: 7 }, 'invalid_input', 'order'],
    [{ order: 1, plugin: 0 }, 'min_value', 'plugin'],
    [{ orders: null }, 'null', 'orders'],
    [{ orders: [1] }, 'invalid_input', 'orders'],
    [{ orders: { 12: '1' } }, 'invalid_input', 'orders.12'],
    [{ orders: { 12: -1 } }, 'min_value', 'orders.12'],
    [{ orders: { 12: 2147483648 } }, 'max_value', 'orders.12'],
    [{ orders: { 12: null } }, 'null', 'orders.12'],
    [{ orders: { x: 1 } }, 'invalid_input', 'orders.x'],
    [JSON.parse('{"orders":{"__proto__":1,"12":1}}'), 'invalid_input', 'orders.__proto__'],
    [{ orders: { constructor: 1 } }, 'invalid_input', 'orders.constructor'],
    [{ orders: { 0: 1 } }, 'invalid_input', 'orders.0'],
    [{ orders: { 12: 1 }, order: 1, plugin: 7 }, 'invalid_input', 'orders'],
    [{ orders: {}, name: 'x' }, 'invalid_input', 'orders'],
  ])('%j is rejected as %s at %s', (body, code, attr) => {
    expect(validate(rearrangeBody, body).error).toMatchObject({ code, attr });
  });

  test('has at most ten thousand positions, which are counted before they are validated', () => {
    const orders = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [i + 1, i]));
    expect(validate(rearrangeBody, { orders: orders(10_000) }).value).toMatchObject({ kind: 'orders' });
    const tooMany = { ...orders(10_000), x: 'no position' };
    expect(validate(rearrangeBody, { orders: tooMany }).error).toMatchObject({
      code: 'max_value',
      attr: 'orders',
    });
  });

  test('keeps every position of a large body', () => {
    const ids = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const orders = Object.fromEntries(ids.map((id) => [id, id]));
    const { value } = validate(rearrangeBody, { orders });
    expect(value).toEqual({ kind: 'orders', orders: new Map(ids.map((id) => [id, id])) });
  });
});
