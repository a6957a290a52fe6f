import { RETENTION_DAYS_MAX } from '@plugin-config/domain';
import { openEmbeddedPostgres } from '@plugin-config/embedded-postgres';
import { locksPerTransaction } from '@plugin-config/persistence';
import { appProgram, type Entries, ENTRIES, launchApp } from './app.ts';
import { prepareDatabase, type SavedApiKey, type SetUp } from './prepare-database.ts';
import type { Shutdown } from './shutdown.ts';
import { type Addresses, type StartSettings, startSettings, urlOf } from './start-settings.ts';
import { supervise } from './supervise.ts';
import { takePorts } from './take-ports.ts';

/** The addresses of the running apps, and the key of the first start if there is one. */
export interface ReadyService {
  readonly httpUrl: string;
  readonly workerUrl: string;
  readonly apiKey: SavedApiKey | undefined;
}

export interface StartDependencies {
  /** Called once everything is ready; the returned text is printed first. Resources that it adds are disposed before the apps stop. */
  readonly whenReady?:
    | ((service: ReadyService, resources: AsyncDisposableStack) => Promise<string>)
    | undefined;
  /** Only tests set this and the options below. */
  readonly setUp?: SetUp;
  readonly entries?: Entries;
  readonly shutdownMaxMs?: number | undefined;
}

/** One run of `start`. */
interface Session {
  readonly env: NodeJS.ProcessEnv;
  readonly shutdown: Shutdown;
  /** Disposed in reverse order when the session ends. */
  readonly resources: AsyncDisposableStack;
  print(text: string): void;
  report(line: string): void;
}

/** Reserved for stopping the database after the apps. */
const DATABASE_RESERVE_MS = 1_300;
const SLOW_MS = 15_000;
/** Enough for any `LOG_RETENTION_DAYS`, so raising it does not need a restart of the database. */
const LOCKS = {
  max_locks_per_transaction: locksPerTransaction(RETENTION_DAYS_MAX),
};

/** Runs the database, the migrations and the apps. Never resolves; rejects once the session ends or a step fails. */
export async function runEverything(
  { whenReady, setUp, entries = ENTRIES }: StartDependencies,
  session: Session,
): Promise<never> {
  const { shutdown, resources, print } = session;
  const settings = startSettings(session.env);
  // Loads while the database starts.
  const loading = setUp === undefined ? import('../set-up.ts') : Promise.resolve(setUp);
  const portsTaken = takePorts(settings);
  portsTaken.catch(shutdown.fail);
  const databaseUrl = settings.databaseUrl ?? (await runDatabase(session, settings, portsTaken));
  const addresses = await shutdown.race(portsTaken);
  const preparing = prepareDatabase(await loading, { databaseUrl, settings, env: session.env });
  const { apiKey, secretsKeys } = await shutdown.race(preparing);
  const env = { ...session.env, DATABASE_URL: databaseUrl, SECRETS_KEYS: secretsKeys };
  await runApps(session, entries, addresses, env);
  const service = { httpUrl: urlOf(addresses.http), workerUrl: urlOf(addresses.worker), apiKey };
  if (whenReady !== undefined) print(await shutdown.race(whenReady(service, resources)));
  print(banner(service));
  return shutdown.race(new Promise<never>(() => {}));
}

/** Starts the embedded database after `startAfter`, and runs it until the session ends. Resolves to its URL once it is ready. */
async function runDatabase(
  { shutdown, resources, report }: Session,
  { dataDir }: StartSettings,
  startAfter: Promise<unknown>,
): Promise<string> {
  const { launch, url, close } = await openEmbeddedPostgres({
    dataDir,
    settings: LOCKS,
    signal: shutdown.signal,
  });
  resources.defer(close);
  await shutdown.race(startAfter);
  const supervision = supervise({ name: 'database', launch, report, giveUp: shutdown.fail });
  resources.defer(() => supervision.stop(shutdown.graceMs(0), shutdown.force));
  await shutdown.race(supervision.ready);
  return url;
}

/** Runs both apps until the session ends. Resolves once they are ready. */
async function runApps(
  { shutdown, resources, report }: Session,
  entries: Entries,
  addresses: Addresses,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const apps = (['http', 'worker'] as const).map((name) => {
    const program = appProgram(entries[name], addresses[name], env);
    return supervise({ name, launch: async () => launchApp(program), report, giveUp: shutdown.fail });
  });
  resources.defer(async () => {
    const graceMs = shutdown.graceMs(DATABASE_RESERVE_MS);
    await Promise.all(apps.map((app) => app.stop(graceMs, shutdown.force)));
  });
  const urls = [addresses.http, addresses.worker].map((address) => `${urlOf(address)}/readyz`);
  const slow = setTimeout(
    () => report(`Still waiting for the apps to become ready. For the reason, see ${urls.join(' and ')}.`),
    SLOW_MS,
  );
  await shutdown.race(Promise.all(apps.map((app) => app.ready))).finally(() => clearTimeout(slow));
}

function banner({ httpUrl, workerUrl, apiKey }: ReadyService): string {
  const key =
    apiKey === undefined
      ? "npm run --silent cli -- key create --label me --scope '*'"
      : `${apiKey.key}  (stored in ${apiKey.file})`;
  return `
The plugin configuration service is ready.

  Console  ${httpUrl}/console
  API      ${httpUrl}/api/projects/
  Docs     ${httpUrl}/docs
  Worker   ${workerUrl}/ingest
  API key  ${key}

Press Ctrl-C to stop it.

`;
}
