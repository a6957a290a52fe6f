import {
  authorise,
  holderOf,
  projectNotFound,
  type AccessNeed,
  type AccessProbe,
  type Clock,
  type Family,
  type Scope,
  type TokenHasher,
} from '@plugin-config/domain';
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { pathId, projectRef } from '../requests/path-id.ts';
import type { Access } from './access.ts';
import { readToken } from './credential.ts';
import type { KeyUses } from './key-uses.ts';
import type { RateLimiter } from './rate-limiter.ts';

export interface Gatekeeping {
  readonly probe: AccessProbe;
  readonly hasher: TokenHasher;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly uses: KeyUses;
}

/** What a route asks of those who call it. */
export interface Need {
  /** Any valid key will do where there is none. */
  readonly scope?: Scope;
  /** The family whose revision the route answers at. */
  readonly family?: Family;
  /** The work begins with the record that the path names. */
  readonly record?: boolean;
}

export interface PathParams {
  readonly project_id?: string;
  readonly id?: string;
  readonly plugin_config_id?: string;
}

/** What cannot be a project is told only to those who have a key. */
const ANYWHERE: AccessNeed = { project: null, scope: null };

export type Guard = (need: Need) => onRequestAsyncHookHandler;

/** Lets requests in or not, after one question to the database: credential, project, scope, rate. */
export function guard({ probe, hasher, clock, limiter, uses }: Gatekeeping): Guard {
  return ({ scope = null, family = null, record = false }) =>
    async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const keyHash = hasher.hash(readToken(request.raw.headers.authorization));
      const params = request.params as PathParams;
      const { project_id: projectText } = params;
      const project = projectText === undefined ? null : projectRef(projectText);
      const recordId = record ? pathId(params.id ?? params.plugin_config_id ?? '') : null;
      const answer = await probe.ask({ keyHash, project, family, recordId });
      const at = clock.now();
      const nowhere = projectText !== undefined && project === null;
      const key = authorise(answer, nowhere ? ANYWHERE : { project, scope }, at);
      if (nowhere) throw projectNotFound();
      const { projectId, revision, record: found } = answer;
      request.access = {
        key,
        at,
        startedAt: performance.now() - reply.elapsedTime,
        projectId: projectId ?? 0,
        revision,
        record: found,
      } satisfies Access;
      request.raw.holder = holderOf(key);
      limiter(key.id, performance.now());
      uses.note(key.id, at);
    };
}
