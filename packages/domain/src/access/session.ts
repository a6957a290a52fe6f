import { DomainError } from '../kernel/domain-error.ts';
import { isLive, type KeyGrant } from './api-key.ts';

/** A browser holds it instead of a key. It is stored nowhere else. */
export interface Session {
  /** The hash of its key, which is looked up on each request. */
  readonly keyHash: string;
  readonly begunAt: Date;
  /** When it was last used, accurate to `RENEWAL_MS`. */
  readonly usedAt: Date;
}

/** Encrypts sessions, so nobody else can create one. */
export interface SessionCipher {
  encrypt(session: Session): string;
  /** Returns null if the text is not a session encrypted with one of our keys. */
  decrypt(encrypted: string): Session | null;
}

const IDLE_MS = 60 * 60_000;
const RENEWAL_MS = 5 * 60_000;

/** @throws DomainError `authentication_failed`, attr `key`, if the key is not valid */
export function beginSession(key: KeyGrant | null, keyHash: string, at: Date): Session {
  if (key === null) throw unusableKey('is unknown');
  if (key.revokedAt !== null) throw unusableKey('is revoked');
  if (!isLive(key, at)) throw unusableKey('has expired');
  return { keyHash, begunAt: at, usedAt: at };
}

/** When the session ends, however much it is used. */
export function latestEndOf({ begunAt }: Session, maxMs: number): Date {
  return new Date(begunAt.getTime() + maxMs);
}

/** When the session ends unless it is used again. */
export function endOf(session: Session, maxMs: number): Date {
  return new Date(Math.min(session.usedAt.getTime() + IDLE_MS, latestEndOf(session, maxMs).getTime()));
}

/** Returns the session with an updated `usedAt`; null if the stored one is recent enough. */
export function renewed(session: Session, at: Date): Session | null {
  return at.getTime() - session.usedAt.getTime() < RENEWAL_MS ? null : { ...session, usedAt: at };
}

export function unusableKey(why: 'is unknown' | 'is revoked' | 'has expired'): DomainError {
  return new DomainError('authentication_failed', `This key ${why}.`, { attr: 'key' });
}

export function sessionEnded(): DomainError {
  return new DomainError('authentication_failed', 'The session is not valid or has ended. Sign in again.');
}
