/** An `import` would also load Node's client for `fetch` and WebSocket, which takes several MB per process. */
export const { STATUS_CODES } = process.getBuiltinModule('node:http');
