import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainError } from '@plugin-config/domain';
import { structuredLogger } from '../../observability/logger.ts';
import { GROUP_POLICY, type GroupPolicy } from '../group-policy.ts';
import { runProcesses } from '../run-processes.ts';
import type { Group } from '../group.ts';

// An app without a database, in a group that loses its patience early. `/` answers with the id of the process.

const { BROKEN, PORT, POLICY } = process.env;
const policy: GroupPolicy = {
  ...GROUP_POLICY,
  askEveryMs: 500,
  unansweredMax: 10,
  firstPauseMs: 50,
  readyWithinMs: 500,
  ...JSON.parse(POLICY ?? '{}'),
};

async function serve(group: Group): Promise<void> {
  process.stdout.write(`${JSON.stringify({ msg: 'begins' })}\n`);
  const broken = BROKEN === undefined ? null : await import(BROKEN, { with: { type: 'json' } });
  const exitCode: unknown = broken?.default.exitCode;
  if (typeof exitCode === 'number') process.exit(exitCode);
  await sleep(Number(broken?.default.bootMs ?? 0));
  const reason: string | null = broken?.default.reason ?? null;
  const failure: string | null = broken?.default.failure ?? null;
  const own = async (): Promise<string | null> => {
    if (failure !== null) throw new Error(failure);
    return reason;
  };
  const { readiness, metrics } = group.health(
    { readiness: own, samples: async () => [] },
    structuredLogger('stand-in', 'info', process.stdout),
  );
  const server = createServer((request, answer) => {
    answer.setHeader('connection', 'close');
    if (request.url === '/exit') process.exit(3);
    else if (request.url === '/hang') for (;;);
    else if (request.url === '/readyz')
      void readiness()
        .catch(refusalOf)
        .then((why) => answer.end(why));
    else if (request.url === '/metrics')
      void metrics()
        .catch(refusalOf)
        .then((text) => answer.end(text));
    else answer.end(String(process.pid));
  });
  server.listen(Number(PORT), '127.0.0.1');
  await group.ending;
  server.close();
}

const refusalOf = ({ code, message }: DomainError): string => `${code}: ${message}`;

process.exit(await runProcesses({ service: 'stand-in', variable: 'PROCESSES', serve, policy }));
