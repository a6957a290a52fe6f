// A separate entry point: commands load it before the stores.

export { migrate } from './schema/migrate.ts';
