import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { sectionOf } from './changelog.ts';

// Publishes the version of this commit: the images, the notes, and last the client and the CLI. A failed run can be repeated. With
// --dry-run, it runs the checks, packs both, and only prints the other commands.

interface Versioned {
  readonly version: string;
  readonly info?: { readonly version: string };
}

const CLIENT = 'packages/client';
const NOTES = '.reports/notes.md';

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
const isDry = values['dry-run'];
/** The workflow's environment has these. */
const { GITHUB_REPOSITORY: repository = 'owner/name', GITHUB_REF_NAME: ref = 'none' } = process.env;

const { version } = readJson('package.json');
const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version);
const released = readJson('docs/openapi.released.json').info?.version;
const problems = [
  [readJson(`${CLIENT}/package.json`).version === version, `${CLIENT} has another version.`],
  [released === version, `docs/openapi.released.json is that of ${released}.`],
  [notes !== null, 'CHANGELOG.md has no section with this version.'],
  [isDry || ref === `v${version}`, `The tag is ${ref}.`],
].flatMap(([isRight, problem]) => (isRight ? [] : [problem]));
if (problems.length > 0) {
  console.error(`${version} cannot be published. ${problems.join(' ')}`);
  process.exit(1);
}

mkdirSync('.reports', { recursive: true });
writeFileSync(NOTES, `${notes}\n`);
const image = `ghcr.io/${repository.toLowerCase()}`;
const tags = ['--tag', `${image}:${version}`, '--tag', `${image}:latest`];
const build = ['buildx', 'build', '--push', '--provenance', 'mode=max', '--sbom', 'true'];
publish('docker', ...build, ...tags, '.');
publish('docker', ...build, '--target', 'sample', '--tag', `${image}:sample`, '.');
if (isDry || spawnSync('gh', ['release', 'view', `v${version}`]).status !== 0)
  publish('gh', 'release', 'create', `v${version}`, '--verify-tag', '--notes-file', NOTES);

const how = isDry ? ['--dry-run'] : ['--provenance'];
for (const folder of [CLIENT, 'apps/cli']) {
  run('npm', 'run', 'build', '--prefix', folder);
  // npm compares it with the repository in the provenance.
  const url = `git+https://github.com/${repository}.git`;
  run('npm', 'pkg', 'set', `repository.url=${url}`, '--prefix', `${folder}/dist`);
  run('npm', 'publish', `./${folder}/dist`, '--access', 'public', ...how);
}

/** Runs a command, or only prints it in a dry run. */
function publish(program: string, ...args: readonly string[]): void {
  if (isDry) console.log(`Would run: ${[program, ...args].join(' ')}`);
  else run(program, ...args);
}

function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'inherit' });
}

/** Reads a manifest, or an OpenAPI document. */
function readJson(path: string): Versioned {
  return JSON.parse(readFileSync(path, 'utf8')) as Versioned;
}
