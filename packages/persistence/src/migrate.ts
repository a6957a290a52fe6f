// A separate entry point: the serving apps load neither the migrator nor the ORM that it imports.

export { migrate } from './schema/migrate.ts';
