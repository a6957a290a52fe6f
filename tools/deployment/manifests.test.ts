import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readManifests, type Manifest } from './kubernetes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const KUBERNETES = 'deploy/kubernetes';
const MANIFESTS = readManifests(ROOT, KUBERNETES);
/** The PostgreSQL operator, whose schemas are in no package. */
const FOREIGN = new Set(['postgresql.cnpg.io/v1']);
const NATIVE = MANIFESTS.filter(({ apiVersion }) => !FOREIGN.has(apiVersion));

test.each(NATIVE)(
  '$kind $metadata.name follows the Kubernetes schema',
  async ({ path: _path, ...manifest }) => {
    const path = `kubernetes-models/${manifest.apiVersion}`;
    const models = (await import(path)) as Record<string, new (data: object) => { validate(): void }>;
    const Model = models[manifest.kind];
    if (Model === undefined) throw new Error(`${manifest.apiVersion} has no ${manifest.kind}.`);
    expect(() => new Model(manifest).validate()).not.toThrow();
  },
);

/** Compiles the objects, and returns the errors. The compiler finds unknown fields, which the schemas allow. */
function compileErrors(manifests: readonly object[]): string {
  const folder = join(ROOT, 'tools/.reports');
  const path = join(folder, 'manifests.ts');
  mkdirSync(folder, { recursive: true });
  const lines = manifests.map((manifest, i) => {
    const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
    return `import type { I${kind} as T${i} } from 'kubernetes-models/${apiVersion}';
export const m${i}: T${i} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(path, lines.join('\n'));
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', path];
  return spawnSync('tsc', args, { cwd: ROOT, encoding: 'utf8' }).stdout;
}

test('Kubernetes objects have no unknown fields', () => {
  const manifests = NATIVE.map(({ path: _path, ...manifest }) => manifest);
  expect(compileErrors(manifests)).toBe('');
  expect(compileErrors([{ ...manifests[0], sepc: {} }])).toContain(`'"sepc"' does not exist`);
});

test('a kustomization.yaml names each manifest', () => {
  const named = new Set(MANIFESTS.map(({ path }) => path));
  const found = globSync(`${KUBERNETES}/{*/*,namespace}.yaml`, { cwd: ROOT });
  expect(found.filter((path) => !path.endsWith('kustomization.yaml') && !named.has(path))).toEqual([]);
});

const pods = MANIFESTS.flatMap(({ kind, metadata, spec }) =>
  spec?.template ? [{ kind, name: metadata.name, ...spec.template }] : [],
);
const services = MANIFESTS.filter(({ kind }) => kind === 'Service');
const ofPods = [...services, ...MANIFESTS.filter(({ kind }) => kind === 'PodDisruptionBudget')];

/** Returns the port names of the pods that a service or budget selects; null unless it selects exactly one kind of pod. */
function portsBehind({ kind, spec }: Manifest): readonly string[] | null {
  const wanted = Object.entries(
    (kind === 'Service' ? spec?.selector : spec?.selector?.['matchLabels']) ?? {},
  );
  const [pod, ...more] = pods.filter(({ metadata: { labels } }) =>
    wanted.every(([name, value]) => labels[name] === value),
  );
  if (pod === undefined || more.length > 0) return null;
  return pod.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));
}

test.each(ofPods)('$kind $metadata.name selects existing pods and ports', (manifest) => {
  const { kind, spec } = manifest;
  const ports = kind === 'Service' ? (spec?.ports ?? []) : [];
  expect(portsBehind(manifest)).toEqual(
    expect.arrayContaining(ports.map(({ name, targetPort = name }) => targetPort)),
  );
});

test('autoscalers scale existing deployments', () => {
  const targets = MANIFESTS.flatMap(({ spec }) => (spec?.scaleTargetRef ? [spec.scaleTargetRef] : []));
  const known = new Set(pods.map(({ kind, name }) => `${kind} ${name}`));
  expect(targets.map(({ kind, name }) => `${kind} ${name}`).filter((one) => !known.has(one))).toEqual([]);
  expect(targets).toHaveLength(2);
});

test('the ingress routes to existing services', () => {
  const backends = MANIFESTS.flatMap(({ spec }) => spec?.rules ?? []).flatMap(({ http }) =>
    http.paths.map(({ backend }) => `${backend.service.name} ${backend.service.port.name}`),
  );
  const known = new Set(
    services.flatMap(({ metadata, spec }) =>
      (spec?.ports ?? []).map(({ name }) => `${metadata.name} ${name}`),
    ),
  );
  expect(backends.filter((one) => !known.has(one))).toEqual([]);
  expect(backends.length).toBeGreaterThan(2);
  const served = MANIFESTS.flatMap(({ spec }) => spec?.rules ?? []).flatMap(({ http }) =>
    http.paths.map(({ path }) => path),
  );
  expect(served).toEqual(expect.arrayContaining(['/api', '/console', '/docs', '/ingest']));
});

test('autoscaling uses metrics of the worker', () => {
  const metrics = readFileSync(join(ROOT, 'apps/worker/src/observability/worker-metrics.ts'), 'utf8');
  const adapter = readFileSync(join(ROOT, KUBERNETES, 'prometheus-adapter.yaml'), 'utf8');
  const names = MANIFESTS.flatMap(({ spec }) => spec?.metrics ?? []).flatMap(({ external }) =>
    external ? [external.metric.name] : [],
  );
  expect(names).toHaveLength(1);
  for (const name of names) {
    expect(metrics).toContain(`'${name}'`);
    expect(adapter).toContain(`seriesQuery: ${name}\n`);
  }
});
