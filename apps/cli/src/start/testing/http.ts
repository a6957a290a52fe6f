import { serve } from './serve.ts';

serve(Number(process.env['PORT']));
