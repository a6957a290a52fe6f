import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openapiDocument } from './document.ts';

// What linters that nobody here wrote say of the document.

const FOLDER = fileURLToPath(new URL('./lint/', import.meta.url));
/** No telemetry, no check for updates. */
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const LINTERS = {
  Redocly: [import.meta.resolve('@redocly/cli/bin/cli.js'), 'lint', '/dev/stdin', '--config=redocly.yaml'],
  Spectral: [
    import.meta.resolve('@stoplight/spectral-cli/dist/index.js'),
    'lint',
    '--ruleset=spectral.yaml',
    '--fail-severity=hint',
    '--stdin-filepath=openapi.json',
  ],
};

/** Runs a linter on the document; returns what it complains about. */
async function lint([command = '', ...args]: readonly string[], document: object) {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  const path = join(folder, 'openapi.json');
  await writeFile(path, JSON.stringify(document));
  await using file = await open(path);
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(command), ...args], {
    cwd: FOLDER,
    env: OFFLINE,
    stdio: [file.fd, 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  return { status, complaints: status === 0 ? '' : stdout + stderr };
}

const document = () => openapiDocument({ publicUrl: null });

describe.each(Object.entries(LINTERS))('%s', (_name, linter) => {
  test('has nothing to complain about', { timeout: 60_000 }, async () => {
    expect(await lint(linter, document())).toEqual({ status: 0, complaints: '' });
  });

  test('would complain about a mistake', { timeout: 60_000 }, async () => {
    const wrong = structuredClone(document());
    delete wrong.paths?.['/livez']?.get?.operationId;
    const { status, complaints } = await lint(linter, wrong);
    expect([status, complaints]).toEqual([1, expect.stringMatching(/operation-?Id/i)]);
  });
});
