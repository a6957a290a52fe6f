// An entry of its own: apps that serve need neither the migrations' runner nor the ORM that it loads.

export { migrate } from './schema/migrate.ts';
