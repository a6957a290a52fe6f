import type { ConfigRecord } from '@plugin-config/client';
import { expect, test } from 'vitest';
import { recordName } from './plugin-info.ts';

test.each([
  ['EU visitors', '{"name":"GeoIP"}', 'EU visitors'],
  [null, '{"name":"GeoIP"}', 'GeoIP 17'],
  [' ', '{"name":"GeoIP"}', 'GeoIP 17'],
  [null, null, 'Record 17'],
])('the name %j of a record of plugin %s is shown as %s', (name, plugin_info, shown) => {
  expect(recordName({ id: 17, plugin: 3, name, plugin_info } as ConfigRecord)).toBe(shown);
});
