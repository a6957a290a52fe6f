import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Invocation } from '../command.ts';
import { callersPath } from '../input-file.ts';

export interface TrustOptions {
  readonly trust?: string;
  readonly audience?: string;
  readonly idTokenFile?: string;
}

const TIMEOUT_MS = 30_000;

/** Adds the options by which a pipeline gets a token instead of having a key. */
export function takesTrust(command: Command): Command {
  return command
    .option('--trust <id>', 'exchange the token of the pipeline by this trust; the default is API_TRUST')
    .option('--audience <text>', 'the audience of that token (default: API_URL)')
    .option(
      '--id-token-file <file>',
      'a file with that token, if it is not of GitHub Actions or in ID_TOKEN',
    );
}

/**
 * Returns the invocation with a short-lived token of a trust as its key, if it names a trust. A key in the environment comes before
 * a trust in the environment.
 */
export async function withTrust(
  invocation: Invocation,
  { trust, audience, idTokenFile }: TrustOptions,
): Promise<Invocation> {
  const { env } = invocation;
  const id = trust ?? (env['API_KEY'] ? undefined : env['API_TRUST']);
  if (!id) return invocation;
  const url = env['API_URL'] ?? '';
  if (!URL.canParse(url)) throw new Error('API_URL is required: the address of the service.');
  const base = url.replace(/\/+$/, '');
  const idToken =
    idTokenFile === undefined
      ? await tokenOfPipeline(env, audience ?? base)
      : (await readFile(callersPath(idTokenFile, env), 'utf8')).trim();
  return { ...invocation, env: { ...env, API_KEY: await exchange(base, id, idToken) } };
}

/** Returns the token that the CI has for the job. */
async function tokenOfPipeline(env: NodeJS.ProcessEnv, audience: string): Promise<string> {
  const {
    ACTIONS_ID_TOKEN_REQUEST_URL: url,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer,
    ID_TOKEN: ofGitLab,
  } = env;
  if (url && bearer) {
    const address = new URL(url);
    address.searchParams.set('audience', audience);
    const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json' };
    const { ok, status, body } = await request('GitHub Actions', address, { headers });
    if (ok && typeof body['value'] === 'string') return body['value'];
    throw new Error(`GitHub Actions gave no token: ${status}.`);
  }
  if (ofGitLab) return ofGitLab;
  const permission = env['GITHUB_ACTIONS'] === 'true' ? ' The job needs "permissions: id-token: write".' : '';
  throw new Error(
    `The pipeline has no token for the trust: neither ACTIONS_ID_TOKEN_REQUEST_URL nor ID_TOKEN is set, and there is no --id-token-file.${permission}`,
  );
}

async function exchange(base: string, trust: string, idToken: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    trust,
  });
  const { ok, status, body } = await request('the service', new URL(`${base}/api/auth/token`), {
    method: 'POST',
    body: form,
  });
  if (ok && typeof body['access_token'] === 'string') return body['access_token'];
  const { error_description: description = `status ${status}` } = body;
  throw new Error(`The trust ${trust} gave no token: ${String(description)}`);
}

interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request with a credential, which is never sent on to another address. */
async function request(who: string, url: URL, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = (await response.json().catch(() => ({}))) as Response['body'];
    return { ok: response.ok, status: response.status, body };
  } catch (error) {
    throw new Error(`Could not reach ${who} at ${url.origin}.`, { cause: error });
  }
}
