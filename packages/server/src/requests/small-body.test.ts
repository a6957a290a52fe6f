import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { smallBody } from './small-body.ts';

const limits = { maxBytes: 1024, take: (): void => undefined };
const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { minLength: 1, maxLength: 5 });

test('a body in any pieces is complete, and takes no more memory than its content-length', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (sent, early) => {
      const request = new IncomingMessage(new Socket());
      const whole = Buffer.concat(sent);
      const body = smallBody(request, whole.length);
      const admitted = early ? body.admit(limits) : null;
      for (const piece of sent) request.push(Buffer.from(piece.slice().buffer));
      request.push(null);
      const blocks = await (admitted ?? body.admit(limits));
      expect(Buffer.concat(blocks).equals(whole)).toBe(true);
      expect(blocks.map(({ buffer }) => buffer.byteLength)).toEqual([whole.length]);
    }),
    { numRuns: 50, seed: 20_260_101 },
  );
});

test.for(['before', 'after'])('a body that is aborted %s admission is refused', async (when) => {
  const request = new IncomingMessage(new Socket());
  const body = smallBody(request, 10);
  request.push(Buffer.from('{"a":'));
  if (when === 'before') request.destroy();
  const admitted = body.admit(limits);
  if (when === 'after') request.destroy();
  await expect(admitted).rejects.toThrow('The body is incomplete');
});

test('a body that is too long, or has no memory left, is refused before it arrives', async () => {
  const body = smallBody(new IncomingMessage(new Socket()), 2000);
  await expect(body.admit(limits)).rejects.toThrow('may take no more than');
  const take = (bytes: number): void => {
    throw new Error(`no room for ${bytes}`);
  };
  await expect(body.admit({ maxBytes: 4000, take })).rejects.toThrow('no room for 2000');
});
