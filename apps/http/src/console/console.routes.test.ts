import { expect } from 'vitest';
import { openService, test } from '../testing/service.fixture.ts';

const NOT_FOUND = { type: 'invalid_request', code: 'not_found', detail: 'Endpoint not found.', attr: null };
/** Returns the path of an asset of the page. */
function assetIn(page: string, extension: string): string {
  return new RegExp(`"(/[^"]*/assets/[^"]+\\.${extension})"`).exec(page)?.[1] ?? '';
}

test('every console path serves the page, which is not cached and only loads files of the service', async ({
  service: { url },
}) => {
  for (const path of ['/console', '/console/', '/console/projects/1/plugin_configs?enabled=true']) {
    const response = await fetch(`${url}${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
  }
});

test('the page says how people sign in', async ({ service: { url } }) => {
  const oidc = {
    issuer: 'https://id.example.com:8443/realms/company',
    clientId: 'console',
    clientSecret: 'hunter2',
    publicUrl: 'https://plugins.example.com',
    rules: { claim: 'groups', roles: [] },
  };
  const both = await openService({ oidc });
  const alone = await openService({ oidc, keysSignIn: false });
  const said = await Promise.all(
    [url, both.url, alone.url].map(async (address) => {
      const page = await (await fetch(`${address}/console`)).text();
      return /<meta name="sign-in" content="([^"]*)"/.exec(page)?.[1];
    }),
  );
  expect(said).toEqual(['key', 'key oidc:id.example.com:8443', 'oidc:id.example.com:8443']);
  await Promise.all([both.close(), alone.close()]);
});

test('the page names the families that it offers', async ({ service: { url } }) => {
  const without = await openService({ consoleTransformations: false });
  const named = await Promise.all(
    [url, without.url].map(async (address) => {
      const page = await (await fetch(`${address}/console`)).text();
      return /<meta name="families" content="([^"]*)"/.exec(page)?.[1];
    }),
  );
  expect(named).toEqual(['plugin_configs pipeline_transformation_configs', 'plugin_configs']);
  await without.close();
});

test('assets are compressed and cached forever', async ({ service: { url } }) => {
  const asset = assetIn(await (await fetch(`${url}/console`)).text(), 'js');
  const plain = await fetch(`${url}${asset}`, { headers: { 'accept-encoding': 'identity' } });
  const text = await plain.text();
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const encoding of ['br', 'gzip']) {
    const packed = await fetch(`${url}${asset}`, { headers: { 'accept-encoding': encoding } });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(packed.headers.get('vary')).toContain('accept-encoding');
    expect(await packed.text()).toBe(text);
  }
});

test('the font is served as it is and cached for a year', async ({ service: { url } }) => {
  const page = await fetch(`${url}/console`);
  expect(page.headers.get('content-security-policy')).toContain("font-src 'self'");
  const font = await fetch(`${url}${assetIn(await page.text(), 'woff2')}`);
  expect(font.headers.get('content-type')).toBe('font/woff2');
  expect(font.headers.get('content-encoding')).toBeNull();
  expect(font.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test('only the assets of the build are served', async ({ service: { url } }) => {
  for (const name of ['missing.js', '..%2findex.html', '%2e%2e%2f.built', '__proto__']) {
    const response = await fetch(`${url}/console/assets/${name}`);
    expect([response.status, await response.json()]).toEqual([404, NOT_FOUND]);
  }
});

test('behind a path prefix, the page loads its assets from that prefix', async () => {
  const service = await openService({ publicUrl: 'https://example.com/plugins/' });
  try {
    const page = await (await fetch(`${service.url}/console`)).text();
    expect(assetIn(page, 'js')).toMatch(/^\/plugins\/console\/assets\//);
  } finally {
    await service.close();
  }
});

const PRODUCT = 'https://app.example.com';

test('the embedded page exists only for the origins that may show it', async ({ service: { url } }) => {
  const off = await fetch(`${url}/embed/1`);
  expect([off.status, await off.json()]).toEqual([404, NOT_FOUND]);
  const service = await openService({ embedOrigins: new Set([PRODUCT, 'http://localhost:5173']) });
  try {
    for (const path of ['/embed/1', '/embed/ext:acme-corp/projects/1/plugin_configs']) {
      const response = await fetch(`${service.url}${path}`);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain(`frame-ancestors ${PRODUCT} http://localhost:5173;`);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain('unsafe');
      const page = await response.text();
      expect(page).toContain(`name="embed-origins" content="${PRODUCT} http://localhost:5173"`);
      expect((await fetch(`${service.url}${assetIn(page, 'js')}`)).status).toBe(200);
    }
    expect((await fetch(`${service.url}/embed`)).status).toBe(404);
    const console = await fetch(`${service.url}/console`);
    expect(console.headers.get('content-security-policy')).toContain("frame-ancestors 'none';");
  } finally {
    await service.close();
  }
});
