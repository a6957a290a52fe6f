import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { APPS, openSecrets, portProblems, ROOT, unknownSettings } from './apps.ts';
import { IMAGE } from './container.ts';
import { kubernetesContainers, renderManifests, type Manifest } from './kubernetes.ts';

const KUBERNETES = join(ROOT, 'deploy/kubernetes');
const REPORTS = join(ROOT, 'tools/.reports');
/** Components that can be combined freely. */
const COMPONENTS = ['nats', 'clickhouse', 'autoscaling', 'network-policy', 'disruption-budget'] as const;
type Component = (typeof COMPONENTS)[number];

const SMALL = await renderManifests(KUBERNETES);
const MANIFESTS = await renderManifests(join(KUBERNETES, 'cluster'));
/** The PostgreSQL operator, whose schemas are in no package. */
const FOREIGN = new Set(['postgresql.cnpg.io/v1']);
const nativeOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ apiVersion }) => !FOREIGN.has(apiVersion));
const imageOf = (path: string): string =>
  (
    parse(readFileSync(join(KUBERNETES, path), 'utf8')) as {
      images: readonly { newName: string; newTag: string }[];
    }
  ).images
    .map(({ newName, newTag }) => `${newName}:${newTag}`)
    .join();

/** Returns the errors of the Kubernetes schemas. */
async function schemaErrors(manifests: readonly Manifest[]): Promise<readonly string[]> {
  const errors = nativeOf(manifests).map(async (manifest) => {
    const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<
      string,
      new (data: object) => { validate(): void }
    >;
    const Model = models[manifest.kind];
    if (Model === undefined) return [`${manifest.apiVersion} has no ${manifest.kind}.`];
    try {
      new Model(manifest).validate();
      return [];
    } catch (error) {
      return [`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`];
    }
  });
  return (await Promise.all(errors)).flat();
}

/** Compiles the objects, and returns the errors. The compiler finds unknown fields, which the schemas allow. */
function compileErrors(manifests: readonly object[]): string {
  const path = join(REPORTS, 'manifests.ts');
  mkdirSync(REPORTS, { recursive: true });
  const lines = manifests.map((manifest, i) => {
    const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
    return `import type { I${kind} as T${i} } from 'kubernetes-models/${apiVersion}';
export const m${i}: T${i} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(path, lines.join('\n'));
  const args = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--module', 'nodenext', path];
  return spawnSync('tsc', args, { cwd: ROOT, encoding: 'utf8' }).stdout;
}

/** Renders the base with PostgreSQL and these components. */
async function combined(components: readonly Component[]): Promise<readonly Manifest[]> {
  mkdirSync(REPORTS, { recursive: true });
  const folder = mkdtempSync(join(REPORTS, 'kustomize-'));
  const at = (path: string): string => relative(folder, join(KUBERNETES, path));
  const named = ['postgres', ...components].map((name) => at(`components/${name}`));
  const kustomization = { namespace: 'plugin-config', resources: [at('base')], components: named };
  try {
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
    return await renderManifests(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const COMBINATIONS = Array.from({ length: 2 ** COMPONENTS.length }, (_, bits) =>
  COMPONENTS.filter((_name, i) => (bits & (2 ** i)) !== 0),
);

test.concurrent.for(
  [SMALL, MANIFESTS].map((manifests, i) => [['kubernetes', 'kubernetes/cluster'][i], manifests] as const),
)('the objects of deploy/%s follow the Kubernetes schemas', async ([, manifests]) => {
  expect(await schemaErrors(manifests)).toEqual([]);
  const [first] = nativeOf(manifests);
  expect(await schemaErrors([{ ...first, metadata: {}, spec: 5 } as never])).not.toEqual([]);
});

test(
  'each combination of components is one deployment, and follows the Kubernetes schemas',
  { tags: ['long'], timeout: 900_000 },
  async () => {
    const distinct = new Map<string, Manifest>();
    for (const components of COMBINATIONS) {
      const manifests = await combined(components);
      for (const manifest of nativeOf(manifests)) distinct.set(JSON.stringify(manifest), manifest);
      const has = (component: Component): boolean => components.includes(component);
      const settings = kubernetesContainers(manifests).flatMap(({ env }) => Object.keys(env));
      const kinds = new Set(manifests.map(({ kind }) => kind));
      const replicas = manifests
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec?.replicas);
      expect({
        components,
        nats: settings.includes('NATS_URL'),
        clickHouse: settings.filter((name) => name === 'CLICKHOUSE_URL').length,
        scaled: kinds.has('HorizontalPodAutoscaler'),
        replicas,
        budgets: manifests.filter(({ kind }) => kind === 'PodDisruptionBudget').length,
        policies: manifests.filter(({ kind }) => kind === 'NetworkPolicy').length,
        namespaces: new Set(manifests.map(({ kind, metadata }) => metadata.namespace ?? kind)),
      }).toEqual({
        components,
        nats: has('nats'),
        clickHouse: has('clickhouse') ? 3 : 0,
        scaled: has('autoscaling'),
        replicas: has('autoscaling') ? [undefined, undefined] : [2, 2],
        budgets: (has('disruption-budget') ? 2 : 0) + (has('nats') ? 1 : 0),
        policies: (has('network-policy') ? 2 : 0) + (has('nats') ? 1 : 0) + (has('clickhouse') ? 1 : 0),
        namespaces: new Set(['Namespace', 'plugin-config']),
      });
      expect(
        new Set(
          kubernetesContainers(manifests)
            .filter(isOurs)
            .map(({ args }) => args[0]),
        ),
      ).toEqual(new Set(Object.keys(APPS)));
    }
    expect(await schemaErrors([...distinct.values()])).toEqual([]);
    expect(compileErrors([...distinct.values()])).toBe('');
  },
);

test('Kubernetes objects have no unknown fields', () => {
  const manifests = nativeOf([...SMALL, ...MANIFESTS]);
  expect(compileErrors(manifests)).toBe('');
  expect(compileErrors([{ ...manifests[0], sepc: {} }])).toContain(`'"sepc"' does not exist`);
});

const isOurs = ({ image }: { readonly image: string }): boolean =>
  image === imageOf('base/kustomization.yaml');
const ours = kubernetesContainers(MANIFESTS).filter(isOurs);

test('the base names the image that the Dockerfile builds', () => {
  const text = readFileSync(join(KUBERNETES, 'base/kustomization.yaml'), 'utf8');
  expect(text).toContain(`- name: ${IMAGE}\n`);
  expect(ours).toHaveLength(3);
});

test.each(ours)('$where has only settings that its app knows, with valid values', async (container) => {
  expect(await unknownSettings(container)).toEqual([]);
});

test.each(ours)('$where exposes and probes the port of its app', async (container) => {
  expect(await portProblems(container)).toEqual([]);
});

test('everything but the apps can be applied first, so the migration comes before them', () => {
  const apps = SMALL.filter(({ metadata }) => ['http', 'worker'].includes(metadata.labels?.['app'] ?? ''));
  expect(apps.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'Deployment http',
    'Deployment worker',
  ]);
  expect(SMALL.filter(({ kind }) => kind === 'Deployment')).toEqual(apps);
});

test('manifests contain no secrets', () => {
  expect(openSecrets(kubernetesContainers(MANIFESTS))).toEqual([]);
  expect(MANIFESTS.filter(({ kind }) => kind === 'Secret')).toEqual([]);
});

test('the small deployment needs PostgreSQL alone', () => {
  expect(kubernetesContainers(SMALL).filter((one) => !isOurs(one))).toEqual([]);
  expect(SMALL.filter(({ apiVersion }) => FOREIGN.has(apiVersion))).toMatchObject([{ kind: 'Cluster' }]);
  const secrets = kubernetesContainers(SMALL).flatMap((one) => [...one.secrets]);
  expect(new Set(secrets)).toEqual(new Set(['DATABASE_URL', 'SECRETS_KEYS']));
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
  const adapter = readFileSync(
    join(KUBERNETES, 'components/autoscaling-by-stream/prometheus-adapter.yaml'),
    'utf8',
  );
  const names = MANIFESTS.flatMap(({ spec }) => spec?.metrics ?? []).flatMap(({ external }) =>
    external ? [external.metric.name] : [],
  );
  expect(names).toHaveLength(1);
  for (const name of names) {
    expect(metrics).toContain(`'${name}'`);
    expect(adapter).toContain(`seriesQuery: ${name}\n`);
  }
});
