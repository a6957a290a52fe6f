import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';

/** Open streams of logs. */
export interface Followers extends Disposable {
  /** Called with each entry. */
  onEntry: (message: string) => void;
}

const KEY_STREAMS = 100;
const ENTRY = /^data: .*"message":"([^"]*)"/gm;

/** Follows the logs of these records, a hundred per key. */
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
  const request = get({ port, path, agent, headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${path} responded with ${response.statusCode}`);
  let rest = '';
  response.setEncoding('utf8').on('error', () => undefined);
  response.on('data', (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf('\n\n') + 1;
    rest = text.slice(end);
    for (const [, message = ''] of text.slice(0, end).matchAll(ENTRY)) followers.onEntry(message);
  });
}
