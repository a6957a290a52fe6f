import type {
  AddressRules,
  Clock,
  Family,
  FamilyFeeds,
  FeedChanges,
  LogEntryStore,
  LogQuota,
  RuntimeConfigurations,
  RuntimeVersions,
  SessionCipher,
  SignInCipher,
  WakeUps,
} from '@plugin-config/domain';
import type { WorkThread } from '@plugin-config/flow/node';
import type { PostgresPorts } from '@plugin-config/persistence';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { WaitingClaims } from './job/waiting-claims.ts';
import type { BaseUrl } from './requests/base-url.ts';
import type { ResponseCache } from './responses/response-cache.ts';
import type { RuntimeWaits } from './runtime/runtime-waits.ts';
import type { OidcSettings } from './session/oidc/oidc.routes.ts';
import type { PageSessions } from './session/page-sessions.ts';

/** The adapters of PostgreSQL, and the ports that have settings or run in the background. */
export interface Ports extends PostgresPorts {
  readonly logEntries: LogEntryStore;
  readonly wakeUps: WakeUps;
  readonly configurations: RuntimeConfigurations;
  readonly sessionCipher: SessionCipher;
  readonly signInCipher: SignInCipher;
  readonly clock: Clock;
}

export interface AppSettings {
  readonly publicUrl: string | null;
  readonly trustProxy: boolean | string;
  readonly corsOrigins: ReadonlySet<string>;
  /** The origins of pages that may show `/embed`. */
  readonly embedOrigins: ReadonlySet<string>;
  readonly consoleTransformations: boolean;
  readonly adminChangesPerMinute?: number;
  readonly rateLimitPerMinute: number | null;
  readonly requireRegistered: boolean;
  readonly logQuota: LogQuota;
  readonly sessionHours: number;
  /** The addresses that webhooks may not have. */
  readonly addressRules: AddressRules;
  /** The addresses that issuers of tokens may not have. */
  readonly issuerRules: AddressRules;
  /** Null if there is no single sign-on. */
  readonly oidc: OidcSettings | null;
  /** Whether people may sign in with a key. */
  readonly keysSignIn: boolean;
}

/** What handlers use: the ports, the settings, and what requests share. Some of it belongs to the timeline of a request. */
export interface Services extends Ports, AppSettings {
  readonly baseUrl: BaseUrl;
  readonly responses: (request: FastifyRequest) => ResponseCache;
  readonly feeds: (request: FastifyRequest) => FamilyFeeds;
  readonly versions: (request: FastifyRequest) => RuntimeVersions;
  readonly waits: RuntimeWaits;
  readonly claims: WaitingClaims;
  readonly feedChanges: (request: FastifyRequest) => Readonly<Record<Family, FeedChanges>>;
  readonly sessions: PageSessions;
  readonly thread: WorkThread;
  readonly logger: Logger;
}
