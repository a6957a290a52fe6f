export { memoryLog } from './memory-log.ts';
export { runProcess, type ProcessOptions, type RunningProcess } from './run-process.ts';
export { serveInProcess, type ServedApp } from './serve-in-process.ts';
export { until } from './until.ts';
