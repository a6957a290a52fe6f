import { moveLog, UNANNOUNCED, type LogEntry, type MoveProgress } from '@plugin-config/domain';
import { Command, Option } from 'commander';
import type { Invocation } from '../invocation.ts';
import { inform } from '../output.ts';
import { progress } from '../inform-now-and-then.ts';
import { example } from '../usage.ts';
import { withServices } from '../with-services.ts';

export function logCommand(invocation: Invocation): Command {
  return new Command('log')
    .description('The logs of all plugin configs.')
    .addHelpText('after', example('log move --to clickhouse'))
    .helpCommand(false)
    .addCommand(moveCommand(invocation));
}

const RUN_AGAIN = `
The service may run meanwhile. If it is interrupted, run it again: it continues where it
stopped. Run it once more when no worker without CLICKHOUSE_URL is left: it copies what
such workers have stored since. PostgreSQL drops its copies with the retention.`;

function moveCommand({ env }: Invocation): Command {
  return new Command('move')
    .description('Copies the entries of all kept days from PostgreSQL, the newest day first.')
    .addOption(
      new Option('--to <store>', 'the store to copy to').choices(['clickhouse']).makeOptionMandatory(),
    )
    .addHelpText('after', RUN_AGAIN)
    .addHelpText('after', example('log move --to clickhouse'))
    .action(() =>
      withServices(env, async ({ logExport, separateLog }) => {
        if (separateLog === null) throw new Error('There is no ClickHouse to copy to: set CLICKHOUSE_URL.');
        const target = {
          append: (entries: readonly LogEntry[]) =>
            separateLog.append(entries, { announcement: UNANNOUNCED, isFollowed: () => false }),
        };
        const copied = await moveLog({ source: logExport, target }, describing());
        inform(copied === 0 ? 'Nothing is left to copy.' : `Copied ${copied} entries.`);
      }),
    );
}

/** Reports how far a day is, and when it is whole. */
const describing = () =>
  progress(
    ({ day, copied, entries }: MoveProgress) =>
      `${day.toISOString().slice(0, 10)}: copied ${copied} of ${entries}.`,
    ({ copied, entries }) => copied >= entries,
  );
