import type { Services } from './services.ts';
import { readSettings } from './settings.ts';

/** Opens the services that the environment describes, runs `work` with them, and closes them. */
export async function withServices<T>(
  env: NodeJS.ProcessEnv,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const settings = await readSettings(env);
  const { openServices } = await import('./container.ts');
  const services = await openServices(settings);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
