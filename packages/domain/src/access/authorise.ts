import { DomainError } from '../kernel/domain-error.ts';
import type { AccessResult } from './access-probe.ts';
import { NOT_IN_TOKENS } from './access-token.ts';
import { grantsProject, grantsScope, isLive, type KeyGrant } from './api-key.ts';
import { NO_PROJECT } from '../project/project-ref.ts';
import type { ProjectRef, Scope } from '../vocabulary/vocabulary.ts';

export interface AccessNeed {
  /** Null if the request names no project. */
  readonly project: ProjectRef | null;
  /** Null if any valid key will do. */
  readonly scope: Scope | null;
  /** Another scope that is enough. */
  readonly orScope?: Scope | undefined;
  /** Whether the key must not be bound to projects. */
  readonly unbound?: boolean;
  /** What the request carries. Defaults to a key. */
  readonly by?: 'key' | 'session' | 'token' | undefined;
  /** Whether only a key itself will do. */
  readonly keyOnly?: boolean;
}

/** Scopes that need a key. Browsers must not get secret values, and a token issues nothing. */
const NOT_IN = { session: new Set<Scope>(['plugin_runtime']), token: NOT_IN_TOKENS };

/**
 * Checks the key, the project, the scope and `unbound`, in this order.
 * @throws DomainError for the first check that fails
 */
export function authorise(
  { key, projectId: found }: AccessResult,
  { project, scope, orScope, unbound, keyOnly, by = 'key' }: AccessNeed,
  at: Date,
): KeyGrant {
  if (key === null || !isLive(key, at)) throw invalidCredential();
  // For a key that is bound to projects, an external id that nobody has looks like one of another project.
  const projectId = typeof project === 'number' ? project : (found ?? NO_PROJECT);
  if (project !== null && project !== 'current' && !grantsProject(key, projectId)) {
    throw new DomainError(
      'project_forbidden',
      `API key does not have access to the requested project: ID ${project}.`,
    );
  }
  if (project !== null && found === null) throw projectNotFound();
  const isGrantedByOther = orScope !== undefined && grantsScope(key.scopes, orScope);
  if (scope !== null && !isGrantedByOther) checkGranted(key, scope);
  if (scope !== null && by !== 'key' && NOT_IN[by].has(scope)) {
    throw new DomainError('not_granted', `A ${by} cannot use the scope '${scope}': send an API key.`);
  }
  if (keyOnly === true && by !== 'key') {
    throw new DomainError('not_granted', `A ${by} cannot do this: send an API key.`);
  }
  if (unbound === true && key.projectIds.length > 0) {
    throw new DomainError('not_granted', 'This needs an API key that is not bound to projects.');
  }
  return key;
}

/** @throws DomainError `scope_missing` */
export function checkGranted({ scopes }: Pick<KeyGrant, 'scopes'>, scope: Scope): void {
  if (grantsScope(scopes, scope)) return;
  throw new DomainError('scope_missing', `API key missing required scope '${scope}'`);
}

export function invalidCredential(): DomainError {
  return new DomainError(
    'authentication_failed',
    'Personal API key found in request Authorization header is invalid.',
  );
}

export function projectNotFound(): DomainError {
  return new DomainError('project_not_found', 'Project not found.');
}
