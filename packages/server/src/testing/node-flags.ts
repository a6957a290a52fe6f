/** The flags of `npm start`. */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--no-parallel-scavenge',
  '--no-allocation-site-pretenuring',
  '--max-old-space-size=1024',
];
