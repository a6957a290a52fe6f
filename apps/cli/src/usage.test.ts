import { expect, test } from 'vitest';
import { command } from './operator.fixture.ts';

const HELP = [
  '',
  'start',
  'migrate',
  'project',
  'project create',
  'project list',
  'project rename',
  'project quota',
  'project usage',
  'project delete',
  'project erasures',
  'key',
  'key create',
  'key list',
  'key revoke',
  'plugin',
  'plugin register',
  'plugin list',
  'plugin remove',
  'secrets',
  'secrets generate',
  'secrets list',
  'secrets rotate',
  'dead-letter',
  'dead-letter list',
  'dead-letter retry',
  'dead-letter drop',
  'import',
  'config',
  'config export',
  'config validate',
  'config plan',
  'config apply',
  'config drift',
  'config adopt',
  'config restore',
  'alert',
  'alert list',
  'alert create',
  'alert show',
  'alert change',
  'alert delete',
  'alert incidents',
  'webhook',
  'webhook list',
  'webhook create',
  'webhook show',
  'webhook change',
  'webhook delete',
  'webhook rotate',
  'webhook test',
  'webhook deliveries',
  'webhook resend',
  'webhook recover',
];

test.for(HELP)('"%s --help" shows the usage and the options', async (words) => {
  const { code, stdout, stderr } = await command([...words.split(' ').filter(Boolean), '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchSnapshot();
});

const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^Usage: /],
  [['projct'], /unknown command 'projct'\n\(Did you mean project\?\)/],
  [['project'], /^Usage: .* project /],
  [['project', 'creat'], /unknown command 'creat'\n\(Did you mean create\?\)/],
  [['project', 'create'], /required option '--name <name>' not specified/],
  [['project', 'create', '--name', '  '], /A project needs a name/],
  [['project', 'list', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
  [['project', 'list', 'all'], /too many arguments/],
  [['project', 'rename', '1'], /missing required argument 'name'/],
  [['project', 'rename', 'one', 'Shop'], /'one' is invalid .* whole number/],
  [['key', 'create', '--label', 'CI'], /required option '--scope <scope\.\.\.>' not specified/],
  [['key', 'create', '--scope', '*'], /required option '--label <label>' not specified/],
  [['key', 'create', '--label', '', '--scope', '*'], /A key needs a label/],
  [
    ['key', 'create', '--label', 'CI', '--scope', 'plugin'],
    /Allowed choices are plugin:read, plugin:write, .*, \*\./,
  ],
  [['key', 'create', '--label', 'CI', '--scope', '*', '--project', '0'], /whole number from 1/],
  [['key', 'create', '--label', 'CI', '--scope', '*', '--expires', '30'], /such as 90m, 12h or 30d/],
  [['key', 'create', '--label', 'CI', '--scope', '*', '--expires', '9999d'], /from 1m to 3650d/],
  [['key', 'revoke', '-1'], /'-1' is invalid .* whole number/],
  [['key', 'revoke', '1', '--jso'], /unknown option '--jso'/],
  [['key', 'revoke'], /missing required argument 'id'/],
  [['plugin', 'register'], /missing required argument 'file'/],
  [['plugin', 'remove', '99999999999'], /whole number/],
  [['dead-letter', 'list', '--limit', '0'], /from 1 to 10000/],
  [['dead-letter', 'retry'], /specify either ids or --all/],
  [['dead-letter', 'retry', '1', '--all'], /specify either ids or --all/],
  [['dead-letter', 'drop'], /specify either ids or --all/],
  [['dead-letter', 'drop', 'x'], /whole number/],
  [['alert', 'list', '--project', 'acme'], /'acme' is invalid\. Expected a whole number, or ext: and/],
  [['errors', '--plugin', 'geoip'], /'geoip' is invalid\. Expected a whole number, or slug: and/],
  [['alert', 'list', '--project', 'ext:a b'], /An external id has 1 to 100/],
  [['alert', 'list'], /either option '--project <id>' or '--all-projects' is required/],
  [['alert', 'create', '--project', '1', '--signal', 'delivery'], /Allowed choices are delivery_rate, /],
  [['alert', 'create', '--project', '1', '--threshold', 'high'], /a number such as 0\.95, or "none"/],
  [['alert', 'change', '1', '--project', '1', '--for', '2'], /two numbers such as 2\/3/],
  [
    ['webhook', 'create', '--project', '1', '--url', 'https://a.example'],
    /'--event <event\.\.\.>' not specified/,
  ],
  [
    ['webhook', 'change', '1', '--project', '1', '--event', 'incident'],
    /Allowed choices are incident\.opened, /,
  ],
];

test.for(WRONG)('%j is wrong usage', async ([args, message]) => {
  const { code, stdout, stderr } = await command(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^Usage: npm run --silent cli -- /m);
});

const WRONG_CONFIG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['plan', 'config.yaml'], /required option '--project <id>' not specified/],
  [['export', '--project', '1'], /required option '--manager <name>' not specified/],
  [['adopt', 'plugin_configs/1', '--project', '1', '--manager', 'a'], /such as plugin_configs\/42=geoip/],
  [['adopt', 'plugins/1=geoip', '--project', '1', '--manager', 'a'], /The families are plugin_configs and/],
  [['restore', 'plugin_configs/geoip', '1', '--project', '1'], /whole number/],
];

test.for(WRONG_CONFIG)('config %j is wrong usage, not a difference', async ([args, message]) => {
  const { code, stdout, stderr } = await command(['config', ...args]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/^Usage: npm run --silent cli -- config /m);
});
