import { describe, expect, test } from 'vitest';
import { logListQuery } from './log-list-query.ts';
import { pageQuery } from './page.ts';
import { recordListQuery } from './record-list-query.ts';
import { validate } from './validate.ts';

describe('the parameters of a page', () => {
  test.each([
    [{}, { limit: 100, offset: 0 }],
    [
      { limit: '', offset: '' },
      { limit: 100, offset: 0 },
    ],
    [
      { limit: '1', offset: '2147483647' },
      { limit: 1, offset: 2147483647 },
    ],
    [{ limit: '1000' }, { limit: 1000, offset: 0 }],
    [{ limit: '1001' }, { limit: 1000, offset: 0 }],
    [{ limit: '9'.repeat(400) }, { limit: 1000, offset: 0 }],
    [{ unknown: ['1', '2'] }, { limit: 100, offset: 0 }],
  ])('%j are parsed as %j', (query, page) => {
    expect(validate(pageQuery, query).value).toEqual(page);
  });

  test.each([
    [{ limit: '0' }, 'limit'],
    [{ limit: '-1' }, 'limit'],
    [{ limit: '1.5' }, 'limit'],
    [{ limit: '1e2' }, 'limit'],
    [{ limit: ' 5' }, 'limit'],
    [{ limit: '٣' }, 'limit'],
    [{ limit: ['5', '5'] }, 'limit'],
    [{ offset: '-1' }, 'offset'],
    [{ offset: '2147483648' }, 'offset'],
    [{ offset: 'ten' }, 'offset'],
  ])('%j are rejected', (query, attr) => {
    expect(validate(pageQuery, query).error).toMatchObject({ code: 'invalid_input', attr });
  });
});

describe('the parameters of a list of records', () => {
  const unfiltered = {
    limit: 100,
    offset: 0,
    deleted: null,
    enabled: null,
    plugin: null,
    valid: null,
    outdated: null,
    search: null,
    changed_since: null,
  };

  test.each([
    [{}, {}],
    [
      { deleted: 'true', enabled: 'False', plugin: '7', valid: 'false', outdated: 'true', search: '50%' },
      { deleted: true, enabled: false, plugin: 7, valid: false, outdated: true, search: '50%' },
    ],
    [{ deleted: '', enabled: '', plugin: '', search: '', changed_since: '' }, {}],
    [{ changed_since: '5f3a9c1e.1.4.108' }, { changed_since: '5f3a9c1e.1.4.108' }],
    [{ changed_since: '5f3a9c1e.1.4.108-42' }, { changed_since: '5f3a9c1e.1.4.108-42' }],
  ])('%j are parsed as %j', (query, filter) => {
    expect(validate(recordListQuery, query).value).toEqual({ ...unfiltered, ...filter });
  });

  test.each([
    [{ deleted: '1' }, 'invalid_input', 'deleted'],
    [{ changed_since: 'yesterday' }, 'invalid_input', 'changed_since'],
    [{ changed_since: '108' }, 'invalid_input', 'changed_since'],
    [{ changed_since: '-1' }, 'invalid_input', 'changed_since'],
    [{ changed_since: '5f3a9c1e.108' }, 'invalid_input', 'changed_since'],
    [{ changed_since: '.1' }, 'invalid_input', 'changed_since'],
    [{ changed_since: 'A.1' }, 'invalid_input', 'changed_since'],
    [{ changed_since: ['1', '1'] }, 'invalid_input', 'changed_since'],
    [{ enabled: 'yes' }, 'invalid_input', 'enabled'],
    [{ enabled: ['true', 'true'] }, 'invalid_input', 'enabled'],
    [{ plugin: '0' }, 'invalid_input', 'plugin'],
    [{ plugin: '2147483648' }, 'invalid_input', 'plugin'],
    [{ search: 'a\0' }, 'invalid_input', 'search'],
    [{ search: ['a', 'b'] }, 'invalid_input', 'search'],
    [{ search: 'a'.repeat(1001) }, 'max_length', 'search'],
  ])('%j are rejected as %s', (query, code, attr) => {
    expect(validate(recordListQuery, query).error).toMatchObject({ code, attr });
  });
});

describe('the parameters of a log', () => {
  const unfiltered = {
    limit: 100,
    offset: 0,
    types: [],
    source: null,
    instanceId: null,
    around: null,
    after: null,
    before: null,
    search: null,
  };
  const id = '0197a3f2-5a1b-7c3d-8e4f-9a0b1c2d3e4f';

  test.each([
    [{}, {}],
    [{ type_filter: 'WARN' }, { types: ['WARN'] }],
    [{ type_filter: ['WARN', '', 'MY_OWN_2'] }, { types: ['WARN', 'MY_OWN_2'] }],
    [{ source: 'SYSTEM' }, { source: 'SYSTEM' }],
    [
      { around: id.toUpperCase(), limit: '5' },
      { around: id, limit: 5 },
    ],
    [{ around: '', offset: '5' }, { offset: 5 }],
    [{ instance_id: id.toUpperCase() }, { instanceId: id }],
    [{ after: '2026-03-01T09:30:00Z' }, { after: new Date('2026-03-01T09:30:00Z') }],
    [{ after: '2026-03-01T09:30:00.123456+02:00' }, { after: new Date('2026-03-01T07:30:00.123Z') }],
    [{ after: '2026-03-01T09:30:00 02:00' }, { after: new Date('2026-03-01T07:30:00Z') }],
    [{ after: '2026-03-01T09:30:00' }, { after: new Date('2026-03-01T09:30:00Z') }],
    [{ before: '2026-03-01' }, { before: new Date('2026-03-01T00:00:00Z') }],
    [{ before: '2026-03-01T09:30:00.123456Z' }, { before: new Date('2026-03-01T09:30:00.124Z') }],
    [{ before: '2026-03-01T09:30:00.9990001Z' }, { before: new Date('2026-03-01T09:30:01Z') }],
    [{ before: '2026-03-01T09:30:00.123000Z' }, { before: new Date('2026-03-01T09:30:00.123Z') }],
    [{ before: '9999-12-31T23:59:59.9999Z' }, { before: new Date('9999-12-31T23:59:59.999Z') }],
    [{ before: '9999-12-31T23:59:59-12:00' }, { before: new Date('9999-12-31T23:59:59.999Z') }],
    [{ before: '0000-01-01' }, { before: new Date('0001-01-01T00:00:00Z') }],
  ])('%j are parsed as %j', (query, filter) => {
    expect(validate(logListQuery, query).value).toEqual({ ...unfiltered, ...filter });
  });

  test.each([
    [{ type_filter: 'warn' }, 'type_filter'],
    [{ type_filter: ['WARN', 'w'] }, 'type_filter'],
    [{ type_filter: Array.from({ length: 1001 }, () => 'A') }, 'type_filter'],
    [{ source: 'A'.repeat(33) }, 'source'],
    [{ source: ['SYSTEM', 'PLUGIN'] }, 'source'],
    [{ instance_id: '7' }, 'instance_id'],
    [{ after: 'yesterday' }, 'after'],
    [{ after: '2026-02-30' }, 'after'],
    [{ before: '1772357400' }, 'before'],
    [{ before: '2026-03-01T25:00:00Z' }, 'before'],
  ])('%j are rejected', (query, attr) => {
    expect(validate(logListQuery, query).error).toMatchObject({ code: 'invalid_input', attr });
  });
});
