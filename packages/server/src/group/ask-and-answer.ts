/** One end of the channel between two processes. */
interface Channel {
  readonly connected?: boolean;
  send?(message: object, handle: undefined, options: undefined, sent: () => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

type Answers<Of> = { readonly [Name in keyof Of]: (input: never) => unknown };

/** Asks the other process. Rejects if it fails, or does not answer in time. */
export type Ask<Others extends Answers<Others>> = <Name extends keyof Others & string>(
  question: Name,
  ...input: Parameters<Others[Name]>
) => Promise<Awaited<ReturnType<Others[Name]>>>;

interface Line {
  readonly id: number;
  /** Absent in an answer. */
  readonly question?: string;
  readonly input?: unknown;
  readonly answer?: unknown;
  readonly failure?: string;
}

interface Packet {
  readonly lines: readonly Line[];
}

/** Longer than a question to all members takes. */
const PATIENCE_MS = 10_000;

/** Lets two processes ask each other and answer. All lines of one turn of the event loop are one message. */
export function askAndAnswer<Own extends Answers<Own>, Others extends Answers<Others>>(
  channel: Channel,
  own: Own,
  patienceMs = PATIENCE_MS,
): Ask<Others> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const answers = own as unknown as Readonly<Record<string, ((input: unknown) => unknown) | undefined>>;
  let asked = 0;
  let unsent: Line[] = [];
  const flush = (): void => {
    const packet: Packet = { lines: unsent };
    unsent = [];
    if (channel.connected === true) channel.send?.(packet, undefined, undefined, () => undefined);
  };
  const send = (line: Line): void => {
    if (unsent.push(line) === 1) setImmediate(flush);
  };
  const reply = async ({ id, question = '', input }: Line): Promise<void> => {
    try {
      const answer = answers[question];
      if (answer === undefined) throw new Error(`Nobody here answers ${question}.`);
      send({ id, answer: await answer(input) });
    } catch (error) {
      send({ id, failure: String(error) });
    }
  };
  const receive = (line: Line): void => {
    if (line.question !== undefined) return void reply(line);
    if (line.failure === undefined) waiting.get(line.id)?.resolve(line.answer);
    else waiting.get(line.id)?.reject(new Error(line.failure));
  };
  channel.on('message', (message) => {
    if (isPacket(message)) message.lines.forEach(receive);
  });
  return async (question, ...[input]) => {
    const id = asked++;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(id, answered);
    send({ id, question, input });
    const tooLong = new Error(`No answer to ${question} in ${patienceMs} ms.`);
    const timer = setTimeout(() => answered.reject(tooLong), patienceMs);
    try {
      return (await answered.promise) as never;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
}

function isPacket(message: unknown): message is Packet {
  return typeof message === 'object' && message !== null && 'lines' in message;
}
