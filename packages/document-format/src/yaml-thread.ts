import { parentPort, workerData } from 'node:worker_threads';
import { MisreadText } from './misread-text.ts';
import { parseStrictly } from './parse-strictly.ts';
import { yamlOf } from './yaml-of.ts';
import type { Outcome, Work } from './yaml-in-thread.ts';

async function carryOut(work: Work): Promise<unknown> {
  if (work.kind === 'write') return yamlOf(JSON.parse(work.json));
  const { value, placeOf } = await parseStrictly(work.text);
  return work.kind === 'read' ? JSON.stringify(value) : work.attrs.map(placeOf);
}

async function outcomeOf(work: Work): Promise<Outcome> {
  try {
    return { value: await carryOut(work) };
  } catch (error) {
    if (!(error instanceof MisreadText)) throw error;
    return { misread: error.message, place: error.place };
  }
}

// The rule means windows: a port of node has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await outcomeOf(workerData as Work));
