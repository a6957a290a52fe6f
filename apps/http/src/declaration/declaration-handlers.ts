import { hash } from 'node:crypto';
import {
  applied,
  editedRecord,
  presenter,
  type declarationEndpoints,
  type WireErrorBody,
} from '@plugin-config/contract';
import {
  adoptRecords,
  applyDeclaration,
  DomainError,
  exportManaged,
  grantsScope,
  makePlan,
  type ApplyOutcome,
  type ManagedRecords,
  type Randomness,
} from '@plugin-config/domain';
import type { WorkThread } from '@plugin-config/flow/node';
import { accessOf, HttpProblem, sendRead, sendReadBody } from '@plugin-config/server';
import { sendPage } from '../responses/page-links.ts';
import { replayed } from '../responses/send-response.ts';
import { sendUncached } from '../responses/send-encoded.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { BaseUrl } from '../requests/base-url.ts';
import { declarationWork } from './declaration-work.ts';

export interface DeclarationDependencies {
  readonly managed: ManagedRecords;
  readonly randomness: Pick<Randomness, 'uuid'>;
  readonly requireRegistered: boolean;
  readonly baseUrl: BaseUrl;
  readonly thread: WorkThread;
}

/** The handlers for the records of a manager as one document, which can contain thousands of them. */
export function declarationHandlers(ports: DeclarationDependencies): Handlers<typeof declarationEndpoints> {
  const { managed, baseUrl, randomness, thread } = ports;
  const uuid = () => randomness.uuid();
  return {
    exportConfiguration: async ({ request, reply, query: { manager } }) => {
      const { projectId } = accessOf(request);
      const { exportJson: exportState } = declarationWork(thread, reply);
      const body = Buffer.from(await exportManaged({ managed, exportState }, { projectId, manager }));
      const etag = `"${hash('sha1', body, 'base64url')}"`;
      await sendUncached(request, reply, { body, etag });
    },

    planConfiguration: async ({ request, reply, body: { document, secrets = {} } }) => {
      const { projectId, key } = accessOf(request);
      if (Object.keys(secrets).length > 0 && !grantsScope(key.scopes, 'plugin:write')) {
        throw new DomainError('scope_missing', `API key missing required scope 'plugin:write'`);
      }
      const query = { projectId, declaration: document, secrets: valuesOf(secrets) };
      const { planJson: plan } = declarationWork(thread, reply);
      await sendReadBody(reply, Buffer.from(await makePlan({ ...ports, plan }, query)));
    },

    applyConfiguration: async ({ request, reply, body, key, author, deadline }) => {
      const { projectId } = accessOf(request);
      const { document: declaration, secrets = {}, max_deletes: maxDeletes, ...rest } = body;
      const values = { declaration, secrets: valuesOf(secrets), maxDeletes, ...rest };
      const command = { projectId, ...values, author, deadline };
      const idempotencyKey = key && { ...key, origin: '' };
      const { plan } = declarationWork(thread, reply);
      const outcome = appliedOrThrow(
        await applyDeclaration({ ...ports, plan, uuid }, command, idempotencyKey),
      );
      await sendRead(replayed(reply, outcome), presentApplied(outcome.value));
    },

    adoptRecords: async ({ request, reply, body, deadline }) => {
      const { projectId } = accessOf(request);
      const outcome = await adoptRecords(ports, { projectId, ...body, deadline });
      if (outcome.kind === 'conflict') {
        const { length } = outcome.conflicts;
        const detail = `Another manager owns ${length} of the records.`;
        throw rejected(409, { code: 'managed_by_another', detail, conflicts: [...outcome.conflicts] });
      }
      await sendRead(reply, { results: outcome.records });
    },

    listDrift: async ({ request, reply, query: { manager } }) => {
      const edited = await managed.drift(accessOf(request).projectId, manager);
      await sendRead(reply, { results: edited.map(presentEdited) });
    },

    listOwnedRecords: async ({ request, reply, query: { manager, ...page } }) => {
      const found = await managed.page(accessOf(request).projectId, manager, page);
      await sendPage({ reply, baseUrl, page }, found, (owned) => owned);
    },
  };
}

const valuesOf = (secrets: Readonly<Record<string, string>>) => new Map(Object.entries(secrets));

function appliedOrThrow(outcome: ApplyOutcome) {
  if (outcome.kind === 'applied') return outcome;
  const changed = outcome.changed.map(presentEdited);
  throw rejected(412, { code: 'precondition_failed', detail: outcome.message, changed });
}

type Rejection = Pick<WireErrorBody, 'code' | 'detail' | 'changed' | 'conflicts'>;

function rejected(status: number, rejection: Rejection): HttpProblem {
  return new HttpProblem({ status, type: 'invalid_request', attr: null, ...rejection });
}

const presentEdited = presenter(editedRecord);
const presentApplied = presenter(applied);
