import type { Logger } from 'pino';

/** After an error that nobody caught, nothing is certain any more: whoever supervises us begins anew. */
export function exitOnBug(logger: Logger, lines: { flushSync(): void }): void {
  const exit = (err: unknown): void => {
    logger.fatal({ err }, 'an error that nobody caught');
    lines.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', exit).on('unhandledRejection', exit);
}
