export { runProcess, type ProcessOptions, type RunningProcess } from './run-process.ts';
export { until } from './until.ts';
