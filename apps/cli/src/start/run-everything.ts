import { banner } from './banner.ts';
import { appPrograms, type Entries } from './app-programs.ts';
import type { ReadyService } from './ready-service.ts';
import { type SavedApiKey, savedApiKey, savedSecretsKeys } from './saved-keys.ts';
import { runApps } from './run-apps.ts';
import { runDatabase } from './run-database.ts';
import type { Session } from './session.ts';
import { bringUpToDate, type SetUp } from './set-up.ts';
import { type StartSettings, startSettings, urlOf } from './start-settings.ts';
import { takePorts } from './take-ports.ts';

export interface StartDependencies {
  /** Called early, so that its code is loaded while the database starts. */
  loadSetUp(): Promise<SetUp>;
  /** Called once everything answers; the text that it returns is printed. */
  readonly whenReady?: ((service: ReadyService) => Promise<string>) | undefined;
  /** The main files of the apps; tests replace them. */
  readonly entries?: Entries;
  /** Tests shorten it. */
  readonly shutdownMaxMs?: number | undefined;
}

/** Runs the database, the migrations and the apps. Never resolves; rejects when the session ends or a step fails. */
export async function runEverything(
  { loadSetUp, whenReady, entries }: StartDependencies,
  session: Session,
): Promise<never> {
  const { shutdown } = session;
  const settings = startSettings(session.env);
  const loading = loadSetUp();
  loading.catch(() => {});
  const portsTaken = takePorts(settings);
  portsTaken.catch(() => {});
  const databaseUrl = settings.databaseUrl ?? (await runDatabase(session, settings, portsTaken));
  const addresses = await shutdown.race(portsTaken);
  const setUp = await shutdown.race(loading);
  const keys = await shutdown.race(prepare(setUp, databaseUrl, settings));
  const env = { ...session.env, DATABASE_URL: databaseUrl, SECRETS_KEYS: keys.secretsKeys };
  await runApps(session, appPrograms(addresses, env, entries));
  const { http, worker } = addresses;
  const service = { httpUrl: urlOf(http), workerUrl: urlOf(worker), apiKey: keys.apiKey };
  session.print(banner(service));
  if (whenReady !== undefined) session.print(await shutdown.race(whenReady(service)));
  return shutdown.race(new Promise<never>(() => {}));
}

interface Keys {
  readonly apiKey: SavedApiKey | undefined;
  readonly secretsKeys: string | undefined;
}

/** Migrates the database. Only the embedded database also gets a first project and keys. */
async function prepare(setUp: SetUp, databaseUrl: string, settings: StartSettings): Promise<Keys> {
  const { dataDir, secretsKeys } = settings;
  await bringUpToDate(setUp, databaseUrl);
  if (settings.databaseUrl !== undefined) return { apiKey: undefined, secretsKeys };
  const apiKey = await savedApiKey(setUp, databaseUrl, dataDir);
  return { apiKey, secretsKeys: secretsKeys ?? (await savedSecretsKeys(setUp, databaseUrl, dataDir)) };
}
