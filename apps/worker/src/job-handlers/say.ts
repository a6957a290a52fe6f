import { DomainError, LOG_TYPES, type JobHandler } from '@plugin-config/domain';

const TYPES: readonly unknown[] = LOG_TYPES;

/** Writes a line to the log of the record: `{"job": {"type": "say", "payload": {"message": "Hello", "type": "INFO"}}}`. */
export const say: JobHandler = {
  type: 'say',
  async run({ task: { payload } }) {
    const { message, type = 'INFO' } = Object(payload) as {
      readonly message?: unknown;
      readonly type?: unknown;
    };
    if (typeof message !== 'string') {
      throw new DomainError('required', 'The payload needs a message.', { attr: 'job.payload' });
    }
    return { lines: [{ message, type: typeof type === 'string' && TYPES.includes(type) ? type : 'INFO' }] };
  },
};
