import { CannotStart, readOptions, runProcesses, type Group } from '@plugin-config/server/group';

const USAGE = 'Usage: node apps/http/src/main.ts [--help | --version]';

try {
  readOptions(USAGE, []);
  const serveIn = async (group: Group): Promise<void> => {
    const [{ readEnv }, { serve }] = await Promise.all([import('./env.ts'), import('./lifecycle/serve.ts')]);
    await serve(readEnv(process.env), group);
  };
  process.exit(await runProcesses({ service: 'http', variable: 'HTTP_PROCESSES', serve: serveIn }));
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}
