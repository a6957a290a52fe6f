import { parentPort, workerData } from 'node:worker_threads';
import { MisreadText } from './misread-text.ts';
import { parseStrictly } from './parse-strictly.ts';
import { yamlOf } from './yaml-of.ts';
import type { YamlResult, YamlTask } from './yaml-in-thread.ts';

async function carryOut(task: YamlTask): Promise<unknown> {
  if (task.kind === 'write') return yamlOf(JSON.parse(task.json));
  const { value, placeOf } = await parseStrictly(task.text);
  return task.kind === 'read' ? JSON.stringify(value) : task.attrs.map(placeOf);
}

async function resultOf(task: YamlTask): Promise<YamlResult> {
  try {
    return { value: await carryOut(task) };
  } catch (error) {
    if (!(error instanceof MisreadText)) throw error;
    return { misread: error.message, place: error.place };
  }
}

// The rule means windows: a port of node has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(await resultOf(workerData as YamlTask));
