import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Validator } from '@seriousme/openapi-schema-validator';
import {
  alertBody,
  alertChange,
  alertPreviewBody,
  apiKeyBody,
  configurationBody,
  configurationPatch,
  pluginBody,
  projectBody,
  projectPut,
  projectChange,
  projectDeletion,
  createBody,
  sessionBody,
  sessionsEndBody,
  applyBody,
  accessTokenBody,
  adoptBody,
  documentErrorBody,
  planBody,
  jobBody,
  rearrangeBody,
  replaceBody,
  feedReadBody,
  hostReportBody,
  runtimeReportBody,
  updateBody,
  validate,
  trustBody,
  trustChange,
  versionBody,
  pinBody,
  upgradeAllBody,
  upgradeBody,
  versionChange,
  webhookBody,
  checkBody,
  claimBody,
  renewBody,
  resultBody,
  writeBackBody,
  webhookChange,
  webhookRecovery,
} from '@plugin-config/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openService } from '../testing/service.fixture.ts';
import { openapiDocument } from './document.ts';
import { REJECTED } from './rejections.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const ALWAYS_REJECTED = 'TRACE';

const document = openapiDocument({ publicUrl: null });
const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  METHODS.flatMap((method) =>
    item[method] === undefined ? [] : [{ path, method, operation: item[method] }],
  ),
);

/** Returns the routes of the service, except the catch-all routes that reject other methods. */
async function servedRoutes(): Promise<readonly string[]> {
  const routes: string[] = [];
  const watch = (message: unknown): void => {
    const { fastify: app } = message as { readonly fastify: FastifyInstance };
    app.addHook('onRoute', ({ method, url }: RouteOptions) => {
      const methods = [method].flat();
      if (methods.includes(ALWAYS_REJECTED)) return;
      routes.push(...methods.filter((name) => name !== 'HEAD').map((name) => `${name} ${url}`));
    });
  };
  subscribe('fastify.initialization', watch);
  const service = await openService();
  unsubscribe('fastify.initialization', watch);
  await service.close();
  return routes.map((route) => route.replaceAll(/:(\w+)/g, '{$1}'));
}

/** Yields all objects within a value, including itself. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const child of Object.values(value)) yield* objectsIn(child);
}

const BODIES: Readonly<Record<string, z.ZodType>> = {
  AdoptRecords: adoptBody,
  ApplyDocument: applyBody,
  BeginSession: sessionBody,
  Configuration: configurationBody,
  ConfigurationPatch: configurationPatch,
  CreateAccessToken: accessTokenBody,
  CreateAlert: alertBody,
  CreateApiKey: apiKeyBody,
  CreateConfigRecord: createBody,
  ChangePluginVersion: versionChange,
  PinConfigRecord: pinBody,
  UpgradeConfigRecord: upgradeBody,
  UpgradeRecords: upgradeAllBody,
  ChangeTrust: trustChange,
  RegisterPluginVersion: versionBody,
  CreateTrust: trustBody,
  EndSessions: sessionsEndBody,
  CreateWebhook: webhookBody,
  PlanDocument: planBody,
  PreviewAlert: alertPreviewBody,
  ProjectChange: projectChange,
  ProjectDeletion: projectDeletion,
  QueueJob: jobBody,
  RearrangeConfigRecords: rearrangeBody,
  RegisterPlugin: pluginBody,
  ReplaceConfigRecord: replaceBody,
  RuntimeProjects: feedReadBody,
  RuntimeReport: runtimeReportBody,
  HostReport: hostReportBody,
  UpdateAlert: alertChange,
  UpdateConfigRecord: updateBody,
  UpdateWebhook: webhookChange,
  WebhookRecovery: webhookRecovery,
  CreateProject: projectBody,
  PutProject: projectPut,
  CheckConfiguration: checkBody,
  ClaimJobs: claimBody,
  RenewJob: renewBody,
  JobResult: resultBody,
  WriteBack: writeBackBody,
};

function schemaName(schema: unknown): string {
  return (schema as { readonly $ref: string }).$ref.split('/').at(-1) ?? '';
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('describes exactly the API routes of the service', async () => {
    const served = (await servedRoutes()).filter((route) => !/^GET \/(?:docs|console|$)/.test(route));
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(described.toSorted()).toEqual(served.toSorted());
  });

  test('has unique operation ids that work as method names', () => {
    const ids = operations.map(({ operation }) => operation.operationId ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+(?:_[a-z]+)+$/);
  });

  test('has no dangling references', () => {
    for (const { $ref } of objectsIn(document)) {
      if (typeof $ref !== 'string') continue;
      const [, ...path] = $ref.split('/');
      const found = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
      expect({ $ref, found }).toEqual({ $ref, found: expect.anything() });
    }
  });

  test('has a minimum and a maximum for every integer', () => {
    for (const schema of objectsIn(document)) {
      if (![schema['type']].flat().includes('integer')) continue;
      expect(schema).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
    }
  });

  test('requires a key for every operation under /api/projects, and describes the error', () => {
    for (const { path, operation } of operations.filter(({ path: where }) =>
      where.startsWith('/api/projects'),
    )) {
      const security = operation.security ?? [];
      expect({ path, security }).toEqual({
        path,
        security: [{ apiKey: expect.any(Array) }, ...security.slice(1)],
      });
      for (const alternative of security) expect(Object.keys(alternative)).toEqual(['apiKey']);
      expect(Object.keys(operation.responses ?? {})).toEqual(
        expect.arrayContaining(['401', '429', '500', '503']),
      );
    }
  });

  test('describes the responses to malformed requests for every operation', () => {
    for (const { path, operation } of operations) {
      expect({ path, statuses: Object.keys(operation.responses ?? {}) }).toEqual({
        path,
        statuses: expect.arrayContaining(['400', '408', '431', '500']),
      });
    }
  });

  test('describes the format of conditions', () => {
    const { IfMatch, IfNoneMatch } = document.components?.parameters ?? {};
    for (const condition of [IfMatch, IfNoneMatch]) {
      const { pattern } = [...objectsIn(condition)].find((each) => 'pattern' in each) ?? {};
      const accepts = (text: string): boolean => new RegExp(String(pattern), 'u').test(text);
      expect(['*', '"42.7-x"', 'W/"a", "b"'].every(accepts)).toBe(true);
      expect(['', '42', '"', '"a" "b"', '*, "a"'].some(accepts)).toBe(false);
    }
  });

  test('has realistic examples of errors', () => {
    const examples = Object.values(document.components?.responses ?? {}).flatMap((response) => [
      ...objectsIn(response),
    ]);
    const values = examples.flatMap(({ summary, value }) => (summary === undefined ? [] : [value]));
    expect(values.length).toBeGreaterThanOrEqual(Object.keys(REJECTED).length);
    for (const value of values) expect(documentErrorBody.parse(value)).toEqual(value);
  });

  test('has valid examples of bodies', () => {
    const shown = operations.flatMap(({ operation: { requestBody } }) =>
      [...objectsIn(requestBody)]
        .filter(({ examples }) => examples !== undefined)
        .flatMap(({ schema, examples }) =>
          [...objectsIn(examples)]
            .filter(({ summary }) => summary !== undefined)
            .map(({ value }) => ({ schema: BODIES[schemaName(schema)] ?? z.never(), value })),
        ),
    );
    expect(shown.length).toBeGreaterThan(10);
    for (const { schema, value } of shown) expect(validate(schema, value).error).toBeUndefined();
  });

  test('contains the public URL of the service', () => {
    expect(document.servers).toMatchObject([{ url: '/' }]);
    expect(openapiDocument({ publicUrl: 'https://example.com/plugins' }).servers).toMatchObject([
      { url: 'https://example.com/plugins' },
    ]);
  });
});
