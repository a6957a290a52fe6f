import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { programPath } from '../programs.ts';
import { sampleOf, type Container } from './container.ts';

const run = promisify(execFile);

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  readonly spec?: Spec;
}

interface Spec {
  readonly replicas?: number;
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

/** Renders the objects that a folder's kustomization.yaml combines, as `kubectl apply --kustomize` would. */
export async function renderManifests(folder: string): Promise<readonly Manifest[]> {
  const { stdout } = await run(programPath('kubectl'), ['kustomize', folder]);
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}

export function kubernetesContainers(manifests: readonly Manifest[]): readonly Container[] {
  return manifests.flatMap(({ kind, metadata, spec }) =>
    (spec?.template?.spec.containers ?? []).map((container) => {
      const { image, args, ports = [], env = [] } = container;
      const portOf = (name: string): number =>
        ports.find((port) => port.name === name)?.containerPort ?? Number.NaN;
      return {
        where: `${kind} ${metadata.name}`,
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
