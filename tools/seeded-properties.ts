import fc from 'fast-check';

/** Seeds property tests, so that every run tries the same examples. */
fc.configureGlobal({ seed: 20_260_301 });
