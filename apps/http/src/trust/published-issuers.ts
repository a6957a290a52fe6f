import { checkIssuer, type AddressRules } from '@plugin-config/domain';
import { logFailure } from '@plugin-config/server';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';

const ISSUERS_MAX = 1000;
/** The age at which documents are read again. */
const FRESH_MS = 10 * 60_000;
/** The shortest pause between two reads of an issuer's documents, however many unknown keys are looked up. */
export const PAUSE_MS = 30_000;

interface Dependencies {
  readonly rules: AddressRules;
  readonly readJson: (url: string) => Promise<unknown>;
  readonly logger: Logger;
  /** A monotonic clock. */
  readonly now?: () => number;
}

/** What an issuer publishes about itself. */
export interface PublishedIssuer {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly keys: ReturnType<typeof createLocalJWKSet>;
}

interface Known {
  readonly published: PublishedIssuer | null;
  /** When it was last read, or when that last failed. */
  readonly triedAt: number;
}

export interface PublishedIssuers {
  /** Returns what the issuer published, at most ten minutes old unless the issuer is unreachable; null if it was never read. */
  find(issuer: string): Promise<PublishedIssuer | null>;
  /** Like `find`, but at most 30 seconds old. */
  findNewer(issuer: string): Promise<PublishedIssuer | null>;
}

/**
 * Reads what issuers publish (OpenID Connect Discovery) when it is needed. While an issuer is unreachable, its last documents are used.
 */
export function publishedIssuers({
  rules,
  readJson,
  logger,
  now = () => performance.now(),
}: Dependencies): PublishedIssuers {
  const known = new LRUCache<string, Known>({ max: ISSUERS_MAX });
  const reading = new Map<string, Promise<Known>>();

  const read = async (issuer: string): Promise<Known> => {
    let published = known.get(issuer)?.published ?? null;
    try {
      published = await readDocuments(readJson, rules, issuer);
    } catch (error) {
      logFailure(logger, {
        error,
        message: 'the documents of an issuer could not be read',
        about: { issuer },
      });
    }
    const found = { published, triedAt: now() };
    known.set(issuer, found);
    return found;
  };
  const readOnce = (issuer: string): Promise<Known> => {
    const started = reading.get(issuer) ?? read(issuer).finally(() => reading.delete(issuer));
    reading.set(issuer, started);
    return started;
  };
  const findWithin = async (issuer: string, maxAgeMs: number): Promise<PublishedIssuer | null> => {
    const found = known.get(issuer);
    const age = found === undefined ? Infinity : now() - found.triedAt;
    return (found === undefined || age > maxAgeMs ? await readOnce(issuer) : found).published;
  };
  return {
    find: (issuer) => findWithin(issuer, known.get(issuer)?.published == null ? PAUSE_MS : FRESH_MS),
    findNewer: (issuer) => findWithin(issuer, PAUSE_MS),
  };
}

/** Reads the issuer's document, and the keys at the address that it names. */
async function readDocuments(
  readJson: (url: string) => Promise<unknown>,
  rules: AddressRules,
  issuer: string,
): Promise<PublishedIssuer> {
  checkIssuer(issuer, rules);
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const metadata = ((await readJson(url)) ?? {}) as PublishedIssuer['metadata'];
  if (metadata['issuer'] !== issuer) throw new Error('the document belongs to another issuer');
  const { jwks_uri: address } = metadata;
  if (typeof address !== 'string') throw new Error('the document has no jwks_uri');
  return { metadata, keys: createLocalJWKSet((await readJson(address)) as JSONWebKeySet) };
}
