import { hash } from 'node:crypto';
import type { declarationEndpoints, WireApplied, WireErrorBody, WirePlan } from '@plugin-config/contract';
import {
  adoptRecords,
  applyDeclaration,
  DomainError,
  exportManaged,
  grantsScope,
  makePlan,
  releaseRecords,
  type Applied,
  type ApplyOutcome,
  type ManagedRecords,
  type PlanReport,
  type Randomness,
} from '@plugin-config/domain';
import { timeSlices } from '@plugin-config/flow/node';
import {
  accessOf,
  HttpProblem,
  jsonInSlices,
  reserveIfLarge,
  sendRead,
  sendReservedJson,
} from '@plugin-config/server';
import { listAddress, pageBody } from '../answers/page-links.ts';
import { replayed } from '../answers/send-answer.ts';
import { sendUncached } from '../answers/send-encoded.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import type { MakeOncePerKey } from '../requests/once-per-key.ts';
import { declarationOf, presentDocument, presentEdited } from './present-document.ts';
import { withRoom } from './with-room.ts';

export interface DeclarationDependencies {
  readonly managed: ManagedRecords;
  readonly randomness: Pick<Randomness, 'uuid'>;
  readonly requireRegistered: boolean;
  readonly baseUrl: BaseUrl;
  readonly oncePerKey: MakeOncePerKey;
}

/** The handlers of the records of a manager as one document. Each may read or change thousands of records. */
export function declarationHandlers(given: DeclarationDependencies): Handlers<typeof declarationEndpoints> {
  const dependencies = { ...given, slices: timeSlices };
  const { managed, baseUrl } = dependencies;
  const uuid = () => dependencies.randomness.uuid();
  const once = dependencies.oncePerKey<Applied>();
  return {
    exportConfiguration: async ({ request, reply, query: { manager } }) => {
      const { projectId } = accessOf(request);
      const body = await jsonInSlices(
        presentDocument(await exportManaged(dependencies, { projectId, manager })),
      );
      const etag = `"${hash('sha1', body, 'base64url')}"`;
      await sendUncached(request, reply, { body, etag });
    },

    planConfiguration: async ({ request, reply, body: { document, secrets = {} } }) => {
      const { projectId, key } = accessOf(request);
      if (Object.keys(secrets).length > 0 && !grantsScope(key.scopes, 'plugin:write')) {
        throw new DomainError('scope_missing', `API key missing required scope 'plugin:write'`);
      }
      const question = { projectId, declaration: declarationOf(document), secrets: valuesOf(secrets) };
      await sendRead(reply, presentPlan(await makePlan(dependencies, question)));
    },

    applyConfiguration: async ({ request, reply, body, key, author, patience }) => {
      const command = {
        projectId: accessOf(request).projectId,
        declaration: declarationOf(body.document),
        secrets: valuesOf(body.secrets ?? {}),
        base: body.base,
        digest: body.digest,
        maxDeletes: body.max_deletes,
        author,
        patience,
      };
      const named = key && { ...key, origin: '' };
      const stored = { ...dependencies, uuid, managed: withRoom(managed, reply) };
      const apply = async () => appliedOrRefused(await applyDeclaration(stored, command, named));
      const outcome =
        named === null ? { ...(await apply()), isShared: false } : await once(named, patience, apply);
      const answer = await jsonInSlices(presentApplied(outcome.value));
      if (outcome.isShared) reserveIfLarge(reply, answer);
      sendReservedJson(replayed(reply, outcome), answer);
    },

    adoptRecords: async ({ request, reply, body: { manager, records }, patience }) => {
      const { projectId } = accessOf(request);
      const command = { projectId, manager, records, patience };
      const outcome = await adoptRecords({ managed: withRoom(managed, reply) }, command);
      if (outcome.kind === 'conflict') {
        const { length } = outcome.conflicts;
        const detail = `Another manager owns ${length} of the records.`;
        throw refused(409, { code: 'managed_by_another', detail, conflicts: [...outcome.conflicts] });
      }
      sendReservedJson(reply, await jsonInSlices({ results: outcome.records }));
    },

    releaseRecords: async ({ request, reply, body: { manager, keys }, patience }) => {
      const { projectId } = accessOf(request);
      const command = { projectId, manager, keys, patience };
      const results = await releaseRecords({ managed: withRoom(managed, reply) }, command);
      sendReservedJson(reply, await jsonInSlices({ results }));
    },

    listDrift: async ({ request, reply, query: { manager } }) => {
      const edited = await managed.drift(accessOf(request).projectId, manager);
      await sendRead(reply, { results: edited.map(presentEdited) });
    },

    listOwnedRecords: async ({ request, reply, query: { manager, ...page } }) => {
      const found = await managed.page(accessOf(request).projectId, manager, page);
      await sendRead(
        reply,
        pageBody(listAddress(baseUrl, request), page, found, (owned) => owned),
      );
    },
  };
}

const valuesOf = (secrets: Readonly<Record<string, string>>) => new Map(Object.entries(secrets));

function appliedOrRefused(outcome: ApplyOutcome) {
  if (outcome.kind === 'applied') return outcome;
  const changed = outcome.changed.map(presentEdited);
  throw refused(412, { code: 'precondition_failed', detail: outcome.message, changed });
}

type Refusal = Pick<WireErrorBody, 'code' | 'detail' | 'changed' | 'conflicts'>;

function refused(status: number, refusal: Refusal): HttpProblem {
  return new HttpProblem({ status, type: 'invalid_request', attr: null, ...refusal });
}

function presentPlan(report: PlanReport): WirePlan {
  return {
    base: report.base,
    digest: report.digest,
    summary: { ...report.summary },
    changes: report.changes.map((change) => ({ ...change, fields: [...change.fields] })),
    conflicts: [...report.conflicts],
    warnings: [...report.warnings],
  };
}

function presentApplied({ applyId, summary, changes, base }: Applied): WireApplied {
  return {
    apply_id: applyId,
    summary: { ...summary },
    changes: changes.map((change) => ({ ...change, fields: [...change.fields] })),
    base,
  };
}
