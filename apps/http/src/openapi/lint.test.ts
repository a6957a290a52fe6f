import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openapiDocument } from './document.ts';

// Runs third-party linters on the document.

const FOLDER = fileURLToPath(new URL('./lint/', import.meta.url));
const OFFLINE = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const LINTERS = {
  Redocly: [
    import.meta.resolve('@redocly/cli/bin/cli.js'),
    'lint',
    '/dev/stdin',
    '--config=redocly.yaml',
    '--format=json',
  ],
  Spectral: [
    import.meta.resolve('@stoplight/spectral-cli/dist/index.js'),
    'lint',
    '--ruleset=spectral.yaml',
    '--fail-severity=hint',
    '--stdin-filepath=openapi.json',
    '--format=json',
    '--quiet',
  ],
};

/** Runs a linter on the document, and returns its exit code and report. */
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
  return { status, report: reportIn(stdout) ?? stdout + stderr };
}

function reportIn(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

/** Returns the document with an additional operation that lacks an id. */
function withMistake(): object {
  const wrong = structuredClone(openapiDocument({ publicUrl: null }));
  const { get = {} } = structuredClone(wrong.paths?.['/api/projects'] ?? {});
  delete get.operationId;
  return { ...wrong, paths: { ...wrong.paths, '/api/mistaken': { get } } };
}

test('Redocly only reports a planted mistake', async () => {
  expect(await lint(LINTERS.Redocly, withMistake())).toMatchObject({
    status: 1,
    report: {
      problems: [
        {
          ruleId: 'operation-operationId',
          location: [{ pointer: '#/paths/~1api~1mistaken/get/operationId' }],
        },
      ],
    },
  });
});

test('Spectral only reports a planted mistake', { tags: ['long'] }, async () => {
  expect(await lint(LINTERS.Spectral, withMistake())).toMatchObject({
    status: 1,
    report: [{ code: 'operation-operationId', path: ['paths', '/api/mistaken', 'get'] }],
  });
});
