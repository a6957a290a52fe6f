import { expect, test } from 'vitest';
import { command, type Outcome } from './operator.fixture.ts';

/** Returns the help of a command and of all commands below it. */
async function helpBelow(words: readonly string[]): Promise<readonly (readonly [string, Outcome])[]> {
  const help = await command([...words, '--help']);
  const [, listed = ''] = /^Commands:\n((?: .*\n)*)/m.exec(help.stdout) ?? [];
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name);
  const all = [[words.join(' '), help] as const];
  // The output of a command is captured, so they run one by one.
  for (const name of names) if (name !== 'help') all.push(...(await helpBelow([...words, name])));
  return all;
}

test('every command shows its usage and its options', async () => {
  const all = await helpBelow([]);
  expect(all.length).toBeGreaterThan(30);
  for (const [words, { code, stdout, stderr }] of all) {
    expect([words, code, stderr]).toEqual([words, 0, '']);
    expect(stdout).toMatch(new RegExp(`^Usage: npm run --silent cli -- ${words}.*\n\n[A-Z]`));
    expect(stdout).toMatch(/^ {2}-h, --help +display help for command$/m);
  }
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
  [['project', 'rename', 'acme', 'Shop'], /'acme' is invalid .*\. Expected a whole number, or ext: and/],
  [['project', 'rename', 'ext:a b', 'Shop'], /An external id has 1 to 100/],
  [['plugin', 'remove', 'geoip'], /'geoip' is invalid .*\. Expected a whole number, or slug: and/],
  [['api', 'create_alarm'], /unknown operation create_alarm\. "api" lists the operations\./],
  [['api', 'list_alerts'], /list_alerts needs project_id=<value>/],
  [['api', 'list_projects', '--body', 'body.json'], /list_projects takes no body/],
  [['api', 'list_alerts', 'project_id'], /Expected a name and a value, such as project_id=1\./],
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
