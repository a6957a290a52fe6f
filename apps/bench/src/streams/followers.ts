import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** Streams of logs that count the entries as they arrive. */
export interface Followers extends Disposable {
  /** Calls back with each entry. */
  onEntry: (message: string) => void;
}

const KEY_STREAMS = 100;
const ENTRY = /^data: .*"message":"([^"]*)"/gm;

/** Follows the logs of these records, a hundred with each key. */
export async function followAll(
  port: number,
  tokens: readonly string[],
  records: readonly { readonly projectId: number; readonly id: number }[],
): Promise<Followers> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const followers: Followers = { onEntry: () => undefined, [Symbol.dispose]: () => agent.destroy() };
  for (let from = 0; from < records.length; from += KEY_STREAMS) {
    const token = tokens[from / KEY_STREAMS] ?? '';
    const some = records.slice(from, from + KEY_STREAMS);
    await Promise.all(some.map((record) => followOne({ port, token, agent }, record, followers)));
  }
  return followers;
}

async function followOne(
  { port, token, agent }: { readonly port: number; readonly token: string; readonly agent: Agent },
  { projectId, id }: { readonly projectId: number; readonly id: number },
  followers: Followers,
): Promise<void> {
  const path = `/api/projects/${projectId}/plugin_configs/${id}/logs/stream`;
  const asked = get({ port, path, agent, headers: { authorization: `Bearer ${token}` } });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
  let rest = '';
  answer.setEncoding('utf8').on('error', () => undefined);
  answer.on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n') + 1;
    rest = text.slice(end);
    for (const [, message = ''] of text.slice(0, end).matchAll(ENTRY)) followers.onEntry(message);
  });
}
