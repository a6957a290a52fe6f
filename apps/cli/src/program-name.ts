/** How operators call us. */
export const PROGRAM = 'npm run --silent cli --';
