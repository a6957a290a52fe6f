import { banner } from './banner.ts';
import { appPrograms, type Entries } from './app-programs.ts';
import { type KeptApiKey, keptApiKey, keptSecretsKeys } from './kept-keys.ts';
import { runApps } from './run-apps.ts';
import { runDatabase } from './run-database.ts';
import type { Session } from './session.ts';
import { bringUpToDate, type SetUp } from './set-up.ts';
import { type StartSettings, startSettings, urlOf } from './start-settings.ts';
import { takePorts } from './take-ports.ts';

export interface StartDependencies {
  /** Called at once, so that its code is loaded while the database starts. */
  loadSetUp(): Promise<SetUp>;
  /** The files that the apps are started from; the real ones unless given. */
  readonly entries?: Entries;
}

/** Database, migrations, apps. Never resolves: it ends with the session, or with what it fails at. */
export async function runEverything(
  { loadSetUp, entries }: StartDependencies,
  session: Session,
): Promise<never> {
  const { ending } = session;
  const settings = startSettings(session.env);
  const loading = loadSetUp();
  loading.catch(() => {});
  const portsTaken = takePorts(settings);
  portsTaken.catch(() => {});
  const databaseUrl = settings.databaseUrl ?? (await runDatabase(session, settings.dataDir, portsTaken));
  const addresses = await ending.unlessEnded(portsTaken);
  const setUp = await ending.unlessEnded(loading);
  const keys = await ending.unlessEnded(prepare(setUp, databaseUrl, settings));
  const env = { ...session.env, DATABASE_URL: databaseUrl, SECRETS_KEYS: keys.secretsKeys };
  await runApps(session, appPrograms(addresses, env, entries));
  const { http, worker } = addresses;
  session.print(banner({ httpUrl: urlOf(http), workerUrl: urlOf(worker), apiKey: keys.apiKey }));
  return ending.unlessEnded(new Promise<never>(() => {}));
}

interface Keys {
  readonly apiKey: KeptApiKey | undefined;
  readonly secretsKeys: string | undefined;
}

/** A database of the operator's own gets its schema, and nothing else that was not asked for. */
async function prepare(setUp: SetUp, databaseUrl: string, settings: StartSettings): Promise<Keys> {
  const { dataDir, secretsKeys } = settings;
  await bringUpToDate(setUp, databaseUrl);
  if (settings.databaseUrl !== undefined) return { apiKey: undefined, secretsKeys };
  const apiKey = await keptApiKey(setUp, databaseUrl, dataDir);
  return { apiKey, secretsKeys: secretsKeys ?? (await keptSecretsKeys(dataDir)) };
}
