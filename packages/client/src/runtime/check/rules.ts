import { stat, truncate, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { denial, type Poll, type Reply } from './scripted-service.ts';
import { BrokenRule, exists, type Trial } from './trial.ts';
import { KEY, SECRET } from './wire.ts';

export interface Rule {
  readonly name: string;
  readonly title: string;
  /** The rule that must be kept for this one to be visible. */
  readonly needs?: string;
  /** Throws if the runtime does not keep the rule. */
  readonly check: (trial: Trial) => Promise<void>;
}

export const QUIET_MS = 2_500;
const RETRY_AFTER_SECONDS = 2;
const FAILING_MS = 4_000;
const POLLS_WHILE_FAILING_MAX = 8;
/** A response this late looks like the end of a wait. */
const WAITED_MS = 1_200;
/** Takes long enough to write that a kill can come in between. */
const LARGE_BYTES = 6_000_000;
const KILLS = 4;

export const UNAVAILABLE: Reply = { ...denial(503, 'unavailable'), headers: { 'retry-after': '1' } };

export const RULES: readonly Rule[] = [
  {
    name: 'poll',
    title: 'Polls with its key when it starts, and again after a response.',
    check: async (trial) => {
      trial.start();
      const poll = await trial.nextPoll();
      require(poll.authorization === `Bearer ${KEY}`, 'It did not send the key as a bearer token.');
      require(poll.known === null, 'It sent a version before it had one.');
      poll.respond(trial.wire.configuration('version-1'));
      await trial.nextPoll();
    },
  },
  {
    name: 'report',
    title: 'Reports the version that it runs.',
    check: async (trial) => {
      (await trial.begin('version-1')).respond(trial.wire.configuration('version-2'));
      for (const version of ['version-1', 'version-2'])
        await trial.until(
          () => trial.service.reports.some((report) => reportsVersion(trial, report.text, version)),
          `It did not report { "${trial.wire.versionField}": "${version}", "status": "applied" }`,
        );
      const names = trial.service.reports.map(({ instance }) => instance);
      require(names.every((name) =>
        /^[\w.-]{1,128}$/.test(name),
      ), `${names[0]} is not a name of an instance.`);
    },
  },
  {
    name: 'report-again',
    title: 'Sends its report again after each poll without a change.',
    check: async (trial) => {
      let poll = await trial.begin('version-1');
      for (let round = 0; round < 2; round++) {
        await sleep(WAITED_MS);
        const seen = trial.service.reports.length;
        poll.respond(trial.wire.unchanged('version-1'));
        await trial.nextReport(seen);
        poll = await trial.nextPoll();
      }
    },
  },
  {
    name: 'lost-reports',
    title: 'Keeps polling when its reports are lost or rejected.',
    check: async (trial) => {
      const lost: Reply = { status: 204, cut: 'before' };
      trial.service.replies.push(lost, UNAVAILABLE, lost, denial(400, 'invalid_input'));
      let poll = await trial.begin('version-1');
      for (let round = 0; round < 3; round++) {
        await sleep(WAITED_MS);
        poll.respond(trial.wire.unchanged('version-1'));
        poll = await trial.nextPoll();
      }
    },
  },
  {
    name: 'last-version',
    title: 'Waits for a change with the last version that it received.',
    check: async (trial) => {
      let poll = await trial.begin('version-1');
      for (const [last, next] of [
        ['version-1', 'version-2'],
        ['version-2', 'version-3'],
      ] as const) {
        require(poll.known === last, `It polled with ${poll.known ?? 'no version'} instead of ${last}.`);
        const { waitSeconds } = poll;
        require(waitSeconds !== null &&
          waitSeconds >= 1 &&
          waitSeconds <= 50, 'It polled without wait=1 … 50.');
        poll.respond(trial.wire.configuration(next));
        poll = await trial.nextPoll();
      }
    },
  },
  {
    name: 'revoked-key',
    title: 'Stops polling and deletes its file after a 401.',
    check: async (trial) => stopsAfter(trial, denial(401, 'authentication_failed')),
  },
  {
    name: 'no-access',
    title: 'Does the same after a 403 or 404.',
    check: async (trial) => {
      await stopsAfter(trial, denial(403, 'permission_denied'));
      await stopsAfter(trial, denial(404, 'not_found'));
    },
  },
  {
    name: 'retry-after',
    title: 'Waits for Retry-After after a 429 or 503.',
    check: async (trial) => {
      let poll = await trial.begin('version-1');
      await waitsAsTold('polled', async (reply) => {
        poll.respond(reply);
        poll = await trial.nextPoll();
        return poll;
      });
    },
  },
  {
    name: 'back-off',
    title: 'Polls less and less often while the service fails.',
    check: async (trial) => {
      let poll: Poll | undefined = await trial.begin('version-1');
      const endsAt = performance.now() + FAILING_MS;
      let count = 0;
      while (performance.now() < endsAt) {
        if (poll !== undefined) count++;
        poll?.respond(denial(500, 'internal_error'));
        await sleep(10);
        poll = trial.service.polls.shift();
      }
      const isSlow = count <= POLLS_WHILE_FAILING_MAX;
      require(isSlow, `It polled ${count} times in ${FAILING_MS / 1000} s, while each response was a 500.`);
      (poll ?? (await trial.nextPoll())).respond(trial.wire.unchanged('version-1'));
      await trial.nextPoll();
    },
  },
  {
    name: 'cut-connections',
    title: 'Keeps what it has when a response is lost or cut off.',
    check: async (trial) => {
      let poll = await trial.begin('version-1');
      for (const cut of ['before', 'halfway'] as const) {
        poll.respond({ ...trial.wire.configuration('version-2'), cut });
        poll = await trial.nextPoll();
        require(poll.known ===
          'version-1', `It polled with ${poll.known ?? 'no version'} instead of version-1.`);
      }
      poll.respond(trial.wire.unchanged('version-1'));
      await trial.nextPoll();
    },
  },
  {
    name: 'secrets',
    title: 'Prints and reports no values of a configuration.',
    needs: 'cut-connections',
    check: async (trial) => {
      const poll = await trial.begin('version-1');
      poll.respond({ ...trial.wire.configuration('version-2'), cut: 'halfway' });
      (await trial.nextPoll()).respond(trial.wire.configuration('version-2'));
      await trial.nextPoll();
      await trial.kill();
      require(!trial.output().includes(SECRET), 'It printed the value of an entry.');
      const isReported = trial.service.reports.some(({ text }) => text.includes(SECRET));
      require(!isReported, 'It reported the value of an entry.');
    },
  },
  {
    name: 'private-file',
    title: 'Keeps the last configuration in a file that only its user can read.',
    check: async (trial) => {
      await trial.begin('version-1');
      await trial.fileWritten();
      const { mode } = await stat(trial.file);
      const isPrivate = process.platform === 'win32' || (mode & 0o077) === 0;
      require(isPrivate, `The mode of the file is ${(mode & 0o777).toString(8)} instead of 600.`);
    },
  },
  {
    name: 'start-from-file',
    title: 'Starts from the file when the service is unavailable.',
    check: async (trial) => {
      await trial.begin('version-1');
      await trial.fileWritten();
      await trial.kill();
      trial.start();
      (await pollFromFile(trial, ['version-1'])).respond(trial.wire.unchanged('version-1'));
      await trial.nextPoll();
    },
  },
  {
    name: 'damaged-file',
    title: 'Starts without a file that is damaged, and replaces it.',
    check: async (trial) => {
      await trial.begin('version-1');
      await trial.fileWritten();
      await trial.kill();
      const { size } = await stat(trial.file);
      for (const damage of [
        async () => truncate(trial.file, Math.floor(size / 2)),
        async () => writeFile(trial.file, Buffer.alloc(size)),
        async () => truncate(trial.file, 0),
      ]) {
        await damage();
        trial.start();
        (await trial.nextPoll()).respond(UNAVAILABLE);
        (await trial.nextPoll()).respond(trial.wire.configuration('version-1'));
        await trial.until(
          async () => (await stat(trial.file)).size >= size,
          'It did not replace the damaged file',
        );
        await trial.kill();
      }
    },
  },
  {
    name: 'atomic-file',
    title: 'Has a whole file after a kill at any time.',
    needs: 'start-from-file',
    check: async (trial) => {
      const sent = ['version-1'];
      let poll = await trial.begin('version-1');
      await trial.fileWritten();
      for (let kill = 0; kill < KILLS; kill++) {
        const version = `version-${sent.length + 1}`;
        sent.push(version);
        const killed = trial.killAtFirstWrite();
        poll.respond(trial.wire.configuration(version, LARGE_BYTES));
        // A runtime that does not write after each change does so now.
        const answering = setInterval(() => trial.service.polls.shift()?.respond(UNAVAILABLE), 50);
        await killed.finally(() => clearInterval(answering));
        trial.start();
        poll = await pollFromFile(trial, sent);
      }
    },
  },
];

export function require(condition: boolean, failure: string): asserts condition {
  if (!condition) throw new BrokenRule(failure);
}

/** Requires that requests pause after a 429 and a 503. `answer` sends a response, and resolves to the request after it. */
export async function waitsAsTold(
  what: string,
  answer: (reply: Reply) => Promise<{ readonly at: number }>,
): Promise<void> {
  for (const [status, code] of [
    [429, 'throttled'],
    [503, 'unavailable'],
  ] as const) {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) };
    const respondedAt = performance.now();
    const { at } = await answer({ ...denial(status, code), headers });
    const seconds = (at - respondedAt) / 1000;
    // Timers may fire a few milliseconds early.
    const isLate = seconds > RETRY_AFTER_SECONDS - 0.05;
    require(isLate, `After a ${status} it ${what} again in ${seconds.toFixed(1)} s.`);
  }
}

async function stopsAfter(trial: Trial, reply: Reply): Promise<void> {
  const poll = await trial.begin('version-1');
  await trial.fileWritten();
  poll.respond(reply);
  await sleep(QUIET_MS);
  require(trial.service.polls.length === 0, `It polled again after a ${reply.status}.`);
  require(!(await exists(trial.file)), `It kept its file after a ${reply.status}.`);
  await trial.kill();
}

/** Responds with errors until the runtime polls with a version from its file. */
async function pollFromFile(trial: Trial, versions: readonly string[]): Promise<Poll> {
  for (let failures = 0; failures < 3; failures++) {
    const poll = await trial.nextPoll();
    if (failures > 0 && poll.known !== null && versions.includes(poll.known)) return poll;
    poll.respond(UNAVAILABLE);
  }
  throw new BrokenRule('It did not poll with the version of its file.');
}

function reportsVersion({ wire }: Trial, text: string, version: string): boolean {
  try {
    const report = JSON.parse(text) as Record<string, unknown>;
    return report[wire.versionField] === version && report['status'] === 'applied';
  } catch {
    return false;
  }
}
