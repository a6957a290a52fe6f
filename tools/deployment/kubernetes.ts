import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { sampleOf, type Container } from './container.ts';

export interface Manifest {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: Spec;
}

interface Spec {
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly selector?: Labels | { readonly matchLabels: Labels };
  readonly ports?: readonly { readonly name: string; readonly port: number; readonly targetPort?: string }[];
  readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
  readonly metrics?: readonly {
    readonly external?: { readonly metric: { readonly name: string } };
  }[];
  readonly rules?: readonly { readonly http: { readonly paths: readonly IngressPath[] } }[];
}

interface IngressPath {
  readonly path: string;
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
}

export type Labels = Readonly<Record<string, string>>;

interface PodSpec {
  readonly containers: readonly PodContainer[];
}

interface PodContainer extends Readonly<Partial<Record<ProbeName, { readonly httpGet: HttpGet }>>> {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef?: { readonly name: string; readonly key: string } };
}

interface HttpGet {
  readonly path: string;
  readonly port: string;
}

const PROBES = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const;
type ProbeName = (typeof PROBES)[number];

/** Reads the objects that a folder's kustomization.yaml combines. */
export function readManifests(root: string, folder: string): readonly Manifest[] {
  return kustomized(root, folder).flatMap((path) =>
    parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => ({
      ...(document.toJS() as Omit<Manifest, 'path'>),
      path,
    })),
  );
}

/** Returns the files that a folder's kustomization.yaml names, directly or through other folders. */
function kustomized(root: string, folder: string): readonly string[] {
  const text = readFileSync(join(root, folder, 'kustomization.yaml'), 'utf8');
  const { resources } = parse(text) as { readonly resources: readonly string[] };
  return resources.flatMap((name) =>
    name.endsWith('.yaml') ? [join(folder, name)] : kustomized(root, join(folder, name)),
  );
}

export function kubernetesContainers(manifests: readonly Manifest[]): readonly Container[] {
  return manifests.flatMap(({ path, metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map((container) => {
      const { image, args, ports = [], env = [] } = container;
      const portOf = (name: string): number =>
        ports.find((port) => port.name === name)?.containerPort ?? Number.NaN;
      return {
        where: `${path}: ${metadata.name}`,
        image,
        args,
        env: Object.fromEntries(
          env.map(({ name, value, valueFrom }) => [
            name,
            value ?? (valueFrom?.secretKeyRef ? sampleOf(name) : ''),
          ]),
        ),
        secrets: new Set(env.filter(({ valueFrom }) => valueFrom?.secretKeyRef).map(({ name }) => name)),
        ports: ports.map(({ containerPort }) => containerPort),
        probes: PROBES.flatMap((name) => {
          const get = container[name]?.httpGet;
          return get === undefined ? [] : [{ path: get.path, port: portOf(get.port) }];
        }),
      };
    }),
  );
}
