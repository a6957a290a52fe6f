import { enableCompileCache } from 'node:module';
import { COMPILED } from './compiled.ts';

enableCompileCache(COMPILED);
const [{ runProcess }, { startCommand }] = await Promise.all([
  import('./run-process.ts'),
  import('./start-command.ts'),
]);
await runProcess([startCommand]);
