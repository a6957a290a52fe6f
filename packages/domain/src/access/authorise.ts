import { DomainError } from '../kernel/domain-error.ts';
import type { AccessAnswer, ProjectRef } from './access-probe.ts';
import { isLive, opensProject, type KeyGrant } from './api-key.ts';
import { holdsScope, type Scope } from './scope.ts';

export interface AccessNeed {
  /** Null where the request addresses no project. */
  readonly project: ProjectRef | null;
  /** Null where any valid key will do. */
  readonly scope: Scope | null;
}

/** Lets a request in, or throws: credential first, then project, then scope. */
export function authorise(answer: AccessAnswer, need: AccessNeed, at: Date): KeyGrant {
  const { key } = answer;
  if (key === null || !isLive(key, at)) throw invalidCredential();
  if (need.project !== null) checkProject(key, need.project, answer.projectId);
  if (need.scope !== null && !holdsScope(key.scopes, need.scope)) {
    throw new DomainError('scope_missing', `API key missing required scope '${need.scope}'`);
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

function checkProject(key: KeyGrant, asked: ProjectRef, found: number | null): void {
  if (asked !== 'current' && !opensProject(key, asked)) {
    throw new DomainError(
      'project_forbidden',
      `API key does not have access to the requested project: ID ${asked}.`,
    );
  }
  if (found === null) throw projectNotFound();
}
