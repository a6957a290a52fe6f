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
  type AppliedOrStale,
  parseBase,
  type Base,
  type PlanInput,
} from '@plugin-config/domain';
import type { Timeline } from '@plugin-config/persistence';
import { accessOf, HttpProblem, sendRead, sendReadBody } from '@plugin-config/server';
import { sendPage } from '../responses/page-links.ts';
import { sendUncached } from '../responses/send-encoded.ts';
import { onProject, readOnProject } from '../responses/timeline.ts';
import type { Handlers } from '../endpoints/handler.ts';
import { declarationWork } from './declaration-work.ts';
import type { Services } from '../services.ts';

/** The handlers for the records of a manager as one document, which can contain thousands of them. */
export function declarationHandlers(ports: Services): Handlers<typeof declarationEndpoints> {
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
      const { projectId, key, timeline } = accessOf(request);
      if (Object.keys(secrets).length > 0 && !grantsScope(key.scopes, 'plugin:write')) {
        throw new DomainError('scope_missing', `API key missing required scope 'plugin:write'`);
      }
      const query = { projectId, declaration: document, secrets: valuesOf(secrets) };
      const { planJson } = declarationWork(thread, reply);
      const plan = (input: PlanInput) => planJson({ ...input, timeline: { id: timeline.id }, projectId });
      await sendReadBody(reply, Buffer.from(await makePlan({ ...ports, plan }, query)));
    },

    applyConfiguration: async ({ request, reply, body, author, deadline }) => {
      const { projectId, timeline } = accessOf(request);
      const { document: declaration, secrets = {}, max_deletes: maxDeletes } = body;
      const base = body.base === undefined ? undefined : baseOf(timeline, projectId, body.base);
      const values = { declaration, secrets: valuesOf(secrets), maxDeletes, base };
      const command = { projectId, ...values, author, deadline };
      const { plan } = declarationWork(thread, reply);
      const outcome = await applyDeclaration({ ...ports, plan, uuid }, command);
      const { base: after, ...value } = appliedOrThrow(outcome);
      await sendRead(reply, presentApplied({ ...value, base: onProject(timeline, projectId, after) }));
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

/** Returns the base of the plan to apply; null if it is from another project or timeline. */
function baseOf(timeline: Timeline, projectId: number, text: string): Base | null {
  const base = readOnProject(timeline, projectId, text, parseBase);
  if (base === 'malformed')
    throw new DomainError('invalid_input', 'This is not the base of a plan.', { attr: 'base' });
  return base === 'unknown' ? null : base;
}

function appliedOrThrow(outcome: AppliedOrStale) {
  if (outcome.kind === 'applied') return outcome.value;
  const changed = outcome.changed.map(presentEdited);
  throw rejected(412, { code: 'precondition_failed', detail: outcome.message, changed });
}

type Rejection = Pick<WireErrorBody, 'code' | 'detail' | 'changed' | 'conflicts'>;

function rejected(status: number, rejection: Rejection): HttpProblem {
  return new HttpProblem({ status, type: 'invalid_request', attr: null, ...rejection });
}

const presentEdited = presenter(editedRecord);
const presentApplied = presenter(applied);
