import { serve } from './serve.ts';

const WRONG_SETTING = 2;

if (process.env['LOG_RETENTION_DAYS'] === 'none') process.exit(WRONG_SETTING);
serve(Number(process.env['WORKER_PORT']));
