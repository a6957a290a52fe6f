import { createInterface } from 'node:readline/promises';

interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Prompts for confirmation; only a full `yes` counts. */
export async function confirm({ stdin, stderr }: Terminal, question: string): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true)
    throw new Error(
      'Cannot ask for confirmation without a terminal: use --yes and --max-deletes, or apply a saved plan.',
    );
  const lines = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(`${question} `), closed])).trim() === 'yes';
  } finally {
    lines.close();
  }
}
