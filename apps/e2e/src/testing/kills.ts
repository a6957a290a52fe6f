import type { ReplicatedServer } from '@plugin-config/persistence/testing';
import type { App } from './apps.ts';
import type { RunningService } from './running-service.ts';

export async function killAndRestart({ end, restart }: RunningService, app: App): Promise<void> {
  await end(app);
  await restart(app);
}

/** Ends the connections of the apps to the database. */
export async function cutConnections({ rows }: RunningService): Promise<void> {
  await rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'plugin-config-%' and pid <> pg_backend_pid()`,
  );
}

/** Runs two more HTTP apps. Returns their URLs, and functions that kill a part of the service and start it again. */
export async function killable(service: RunningService, primary: () => ReplicatedServer) {
  const apps = { http: service.run('http'), replica: service.run('http') };
  const urls = new Set([await apps.http.url(), await apps.replica.url()]);
  /** At another port: somebody may have taken the one that was free for a moment. */
  const replace = async (app: keyof typeof apps): Promise<void> => {
    urls.delete(await apps[app].url());
    apps[app].child.kill('SIGKILL');
    await apps[app].exited;
    apps[app] = service.run('http');
    urls.add(await apps[app].url());
  };
  const kill = {
    http: () => replace('http'),
    replica: () => replace('replica'),
    worker: () => killAndRestart(service, 'worker'),
    connections: async () => {
      await primary().query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'plugin-config-%' and pid <> pg_backend_pid()`,
      );
    },
    database: async () => {
      await primary().kill();
      await primary().start();
    },
  };
  return { urls, kill };
}
