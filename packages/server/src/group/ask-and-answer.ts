/** One end of the channel between two processes. */
interface Channel {
  readonly connected?: boolean;
  send?(message: object, handle: undefined, options: undefined, sent: () => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** What to do with answers that come after the patience. Only such questions are remembered until then. */
type Late<Others extends Answers<Others>> = {
  readonly [Name in keyof Others]?: (
    answer: Awaited<ReturnType<Others[Name]>>,
    input: Parameters<Others[Name]>[0],
  ) => void;
};

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
  {
    patienceMs = PATIENCE_MS,
    late = {},
  }: { readonly patienceMs?: number; readonly late?: Late<Others> } = {},
): Ask<Others> {
  const waiting = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>();
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
    const asker = waiting.get(line.id);
    waiting.delete(line.id);
    if (line.failure === undefined) asker?.resolve(line.answer);
    else asker?.reject(new Error(line.failure));
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
    const timer = setTimeout(() => {
      const onLate = late[question];
      if (onLate === undefined) waiting.delete(id);
      else waiting.set(id, { resolve: (answer) => onLate(answer as never, input), reject: () => undefined });
      answered.reject(tooLong);
    }, patienceMs);
    try {
      return (await answered.promise) as never;
    } finally {
      clearTimeout(timer);
    }
  };
}

function isPacket(message: unknown): message is Packet {
  return typeof message === 'object' && message !== null && 'lines' in message;
}
