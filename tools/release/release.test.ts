import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cutChangelog, sectionOf } from './changelog.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- A new endpoint.\n\n## 1.2.3 - 2026-01-31\n\n- A fix.\n';

/** The files of a repository, as `publish` reads them. */
const RELEASED = {
  'package.json': '{ "version": "1.2.3" }',
  'packages/client/package.json':
    '{ "version": "1.2.3", "scripts": { "build": "mkdir dist && cp built.json dist/package.json" } }',
  'packages/client/built.json': '{ "name": "@plugin-config/client", "version": "1.2.3" }',
  'apps/cli/package.json': '{ "scripts": { "build": "mkdir dist && cp built.json dist/package.json" } }',
  'apps/cli/built.json': '{ "name": "@plugin-config/cli", "version": "1.2.3" }',
  'docs/openapi.released.json': '{ "info": { "version": "1.2.3" } }',
  'CHANGELOG.md': CHANGELOG,
};

const publish = (args: readonly string[], files?: Partial<typeof RELEASED>, ref?: string) =>
  run('publish.ts', args, files, ref);

/** Runs a program in a repository with these files, and without a registry. */
function run(program: string, args: readonly string[], files: Partial<typeof RELEASED> = {}, ref = 'v1.2.3') {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries({ ...RELEASED, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const offline = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
  const env = { ...process.env, ...offline, GITHUB_REPOSITORY: 'Owner/service', GITHUB_REF_NAME: ref };
  const command = [join(import.meta.dirname, program), ...args];
  const result = spawnSync(process.execPath, command, { cwd: folder, env, encoding: 'utf8' });
  return { folder, ...result };
}

test(
  'a dry run packs the client and the CLI, writes the notes, and prints what it would publish',
  { tags: ['long'] },
  () => {
    const { folder, status, stdout, stderr } = publish(['--dry-run']);
    expect({ status, stderr }).toMatchObject({ status: 0, stderr: expect.stringContaining('(dry-run)') });
    expect(stdout.split('\n').filter((line) => line.startsWith('Would run'))).toEqual([
      'Would run: docker buildx build --push --provenance mode=max --sbom true --tag ghcr.io/owner/service:1.2.3 --tag ghcr.io/owner/service:latest .',
      'Would run: docker buildx build --push --provenance mode=max --sbom true --target sample --tag ghcr.io/owner/service:sample .',
      'Would run: gh release create v1.2.3 --verify-tag --notes-file .reports/notes.md',
    ]);
    expect(stdout).toContain('+ @plugin-config/client@1.2.3');
    expect(stdout).toContain('+ @plugin-config/cli@1.2.3');
    expect(readFileSync(join(folder, '.reports/notes.md'), 'utf8')).toBe('- A fix.\n');
    expect(JSON.parse(readFileSync(join(folder, 'packages/client/dist/package.json'), 'utf8'))).toMatchObject(
      {
        repository: { url: 'git+https://github.com/Owner/service.git' },
      },
    );
  },
);

test.for([
  [{ 'packages/client/package.json': '{ "version": "1.2.2" }' }, 'packages/client has another version.'],
  [
    { 'docs/openapi.released.json': '{ "info": { "version": "1.2.2" } }' },
    'openapi.released.json is that of 1.2.2.',
  ],
  [{ 'CHANGELOG.md': '## Unreleased\n' }, 'CHANGELOG.md has no section with this version.'],
] as const)('a version that was not cut cannot be published: %j', ([files, problem]) => {
  const { status, stdout, stderr } = publish(['--dry-run'], files);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(problem),
  });
});

test('another version than that of the tag is not published', () => {
  const { status, stderr } = publish([], {}, 'v1.2.4');
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: '1.2.3 cannot be published. The tag is v1.2.4.\n',
  });
});

test('cutting a release moves the unreleased changes below its heading', () => {
  const cut = cutChangelog(CHANGELOG, '1.3.0', '2026-02-01');
  expect(cut).toBe(
    '# Changelog\n\n## Unreleased\n\n## 1.3.0 - 2026-02-01\n\n- A new endpoint.\n\n## 1.2.3 - 2026-01-31\n\n- A fix.\n',
  );
  expect(sectionOf(cut, '1.3.0')).toBe('- A new endpoint.');
  expect(() => cutChangelog(cut, '1.4.0', '2026-02-02')).toThrow('CHANGELOG.md has no changes to release.');
  expect(() => cutChangelog(CHANGELOG, '1.2.3', '2026-02-02')).toThrow('already has a section 1.2.3.');
});

test.for([
  [['1.3.0'], 'CHANGELOG.md has no changes to release.'],
  [['1.2.3'], 'CHANGELOG.md already has a section 1.2.3.'],
  [[], 'Usage: npm run release -- 1.2.3'],
] as const)('%j is not cut, for a reason in one line', ([args, reason]) => {
  const files = { 'CHANGELOG.md': '## Unreleased\n\n## 1.2.3 - 2026-01-31\n\n- A fix.\n' };
  const { folder, status, stderr } = run('cut.ts', args, files);
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${reason}\n` });
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(RELEASED['package.json']);
});
