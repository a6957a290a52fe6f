import { appProgram, type Entries, ENTRIES, launchApp } from './app.ts';
import { banner, type ReadyService } from './banner.ts';
import { runDatabase } from './run-database.ts';
import { type SavedApiKey, savedApiKey, savedSecretsKeys } from './saved-keys.ts';
import { migrateDatabase, type SetUp } from './set-up.ts';
import type { Session } from './session.ts';
import { type Addresses, type StartSettings, startSettings, urlOf } from './start-settings.ts';
import { supervise } from './supervise.ts';
import { takePorts } from './take-ports.ts';

export interface StartDependencies {
  /** Called early: its code loads while the database starts. */
  loadSetUp(): Promise<SetUp>;
  /** Called once everything is ready; the returned text is printed. Resources that it adds are disposed before the apps stop. */
  readonly whenReady?:
    | ((service: ReadyService, resources: AsyncDisposableStack) => Promise<string>)
    | undefined;
  /** For tests. */
  readonly entries?: Entries;
  /** For tests. */
  readonly shutdownMaxMs?: number | undefined;
}

/** Left for the database to stop after the apps. */
const DATABASE_RESERVE_MS = 1_300;
const SLOW_MS = 15_000;

/** Runs the database, the migrations and the apps. Never resolves; rejects once the session ends or a step fails. */
export async function runEverything(
  { loadSetUp, whenReady, entries = ENTRIES }: StartDependencies,
  session: Session,
): Promise<never> {
  const { shutdown } = session;
  const settings = startSettings(session.env);
  const loading = loadSetUp();
  loading.catch(() => {});
  const portsTaken = takePorts(settings);
  portsTaken.catch(shutdown.fail);
  const databaseUrl = settings.databaseUrl ?? (await runDatabase(session, settings, portsTaken));
  const addresses = await shutdown.race(portsTaken);
  const setUp = await shutdown.race(loading);
  const keys = await shutdown.race(prepare(setUp, databaseUrl, settings));
  const env = { ...session.env, DATABASE_URL: databaseUrl, SECRETS_KEYS: keys.secretsKeys };
  await runApps(session, entries, addresses, env);
  const { http, worker } = addresses;
  const service = { httpUrl: urlOf(http), workerUrl: urlOf(worker), apiKey: keys.apiKey };
  session.print(banner(service));
  if (whenReady !== undefined) session.print(await shutdown.race(whenReady(service, session.resources)));
  return shutdown.race(new Promise<never>(() => {}));
}

interface Keys {
  readonly apiKey: SavedApiKey | undefined;
  readonly secretsKeys: string;
}

/** Migrates the database. An embedded database also gets a first project and keys. */
async function prepare(setUp: SetUp, databaseUrl: string, settings: StartSettings): Promise<Keys> {
  const { dataDir } = settings;
  await migrateDatabase(setUp, databaseUrl);
  const secretsKeys = settings.secretsKeys ?? (await savedSecretsKeys(setUp, databaseUrl, dataDir));
  if (settings.databaseUrl !== undefined) return { apiKey: undefined, secretsKeys };
  return { apiKey: await savedApiKey(setUp, databaseUrl, { dataDir, secretsKeys }), secretsKeys };
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
  const { http, worker } = addresses;
  const urls = [http, worker].map((address) => `${urlOf(address)}/readyz`);
  const slow = setTimeout(
    () => report(`Still waiting for the apps to become ready. For the reason, see ${urls.join(' and ')}.`),
    SLOW_MS,
  );
  await shutdown.race(Promise.all(apps.map((app) => app.ready))).finally(() => clearTimeout(slow));
}
