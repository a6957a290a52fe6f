import fc from 'fast-check';
import { SEED } from './property-runs.ts';

fc.configureGlobal({ seed: SEED });
