import { lowerCase } from '@plugin-config/domain';
import { expect, test } from 'vitest';
import { withClickHouse } from '../testing/clickhouse-ports.fixture.ts';
import { searchCondition } from './search-condition.ts';

const LIMITS = { timeLimitMs: 20_000 };

test('a search ignores case for every letter and takes special characters literally', () =>
  withClickHouse(async ({ command, insert, select }) => {
    await command('create table message (message String) engine = Memory', LIMITS);
    const beyond = Array.from({ length: 0x1e944 }, (_, point) => point)
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point))
      .filter((letter) => lowerCase(letter) !== letter);
    const messages = [
      'ΜΙ İI ǅ',
      'μι ii ǆ',
      '[a-z]+ \\d .* \n $1 ^',
      '100 % KÅΩ 🚀',
      beyond.slice(0, 300).join(''),
      beyond.slice(-300).join(''),
      `${'-'.repeat(30_000)} Μέγα Ιός`,
    ];
    await insert(
      'message',
      ['message'],
      messages.map((message) => [message]),
      LIMITS,
    );
    const searches = [
      ...messages.map((message) => Array.from(message).slice(-1000).join('')),
      ...messages.map((message) => Array.from(lowerCase(message)).slice(-400).join('')),
      ...'μιi.*['.split(''),
      'μέγα ιός',
      'kåω 🚀',
      '\n $1',
      '',
      'nowhere μι',
    ];
    for (const search of searches) {
      const { text, parameters } = searchCondition(search);
      const found = await select(`select message from message where ${text}`, parameters, LIMITS);
      const expected = messages.filter((message) => lowerCase(message).includes(lowerCase(search)));
      expect(found.map(String).toSorted()).toEqual(expected.toSorted());
    }
  }));
