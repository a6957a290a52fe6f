import type { ReplicatedServer } from '@plugin-config/persistence/testing';
import type { RunningService } from './running-service.ts';

/** Runs a second HTTP app. Returns the URLs of both, and functions that kill a part of the service and restart it. */
export async function killable(service: RunningService, primary: () => ReplicatedServer) {
  let replica = service.run('http');
  const urls = new Set([await service.http.url(), await replica.url()]);
  const restart = async (app: 'http' | 'worker'): Promise<void> => {
    await service.end(app);
    await service.restart(app);
  };
  const kill = {
    http: () => restart('http'),
    worker: () => restart('worker'),
    replica: async () => {
      urls.delete(await replica.url());
      replica.child.kill('SIGKILL');
      await replica.exited;
      replica = service.run('http');
      urls.add(await replica.url());
    },
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
