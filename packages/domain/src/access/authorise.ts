import { DomainError } from '../kernel/domain-error.ts';
import type { AccessAnswer, ProjectRef } from './access-probe.ts';
import { grantsProject, grantsScope, isLive, type KeyGrant, type Scope } from './api-key.ts';

export interface AccessNeed {
  /** Null if the request names no project. */
  readonly project: ProjectRef | null;
  /** Null if any valid key is enough. */
  readonly scope: Scope | null;
  /** True if the key must not be bound to projects. */
  readonly unbound?: boolean;
}

/** Checks the credential, then the project, the scope, and that the key is unbound. Returns the grant, or throws the first refusal. */
export function authorise(answer: AccessAnswer, need: AccessNeed, at: Date): KeyGrant {
  const { key } = answer;
  if (key === null || !isLive(key, at)) throw invalidCredential();
  if (need.project !== null) checkProject(key, need.project, answer.projectId);
  if (need.scope !== null && !grantsScope(key.scopes, need.scope)) {
    throw new DomainError('scope_missing', `API key missing required scope '${need.scope}'`);
  }
  if (need.unbound === true && key.projectIds.length > 0) {
    throw new DomainError('not_granted', 'This needs an API key that is not bound to projects.');
  }
  return key;
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

function checkProject(key: KeyGrant, requested: ProjectRef, found: number | null): void {
  if (requested !== 'current' && !grantsProject(key, requested)) {
    throw new DomainError(
      'project_forbidden',
      `API key does not have access to the requested project: ID ${requested}.`,
    );
  }
  if (found === null) throw projectNotFound();
}
