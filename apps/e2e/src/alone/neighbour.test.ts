/** @module-tag long */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { neighbour } from '../testing/neighbour.ts';
import { serviceOfFile } from '../testing/running-service.ts';

const running = serviceOfFile();

test('without load, the neighbour is unaffected', async () => {
  const service = running();
  const other = await neighbour(await service.tenant());
  await sleep(500);
  await other.expectUnaffected();
});

test('a neighbour notices that an app was paused', async () => {
  const service = running();
  const other = await neighbour(await service.tenant());
  service.http.child.kill('SIGSTOP');
  await sleep(1200);
  service.http.child.kill('SIGCONT');
  await expect(other.expectUnaffected()).rejects.toThrow('affected: list, read, log, write of');
});
