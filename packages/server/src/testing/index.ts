export { metricOf } from './metric-of.ts';
export { NODE_FLAGS } from './node-flags.ts';
export { runProcess, type RunningProcess } from './run-process.ts';
export { serveInProcess, type ServedApp } from './serve-in-process.ts';
export { ISSUED_FOR, documentOf, sendDocument, startIssuer, type Issuer } from './start-issuer.ts';
export { until } from './until.ts';
