import 'reflect-metadata';
import type {
  AccessProbe,
  ActivityLog,
  ApiKeyStore,
  Clock,
  ConfigRecordStore,
  JobStore,
  LogEntryStore,
  ProjectStore,
  Randomness,
  SecretBox,
  TokenHasher,
} from '@plugin-config/domain';
import {
  aesSecretBox,
  nodeRandomness,
  openDatabase,
  postgresAccessProbe,
  postgresActivityLog,
  postgresApiKeyStore,
  postgresConfigRecordStore,
  postgresJobStore,
  postgresLogEntryStore,
  postgresProjectStore,
  sha256TokenHasher,
  type Database,
} from '@plugin-config/persistence';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import type { Ports } from './app.ts';
import type { Env } from './env.ts';

const token = <T>(name: string): InjectionToken<T> => Symbol(name);
const once = <T>(make: (c: DependencyContainer) => T) => ({ useFactory: instanceCachingFactory(make) });

const DATABASE = token<Database>('Database');
const PROBE = token<AccessProbe>('AccessProbe');
const KEYS = token<ApiKeyStore>('ApiKeyStore');
const HASHER = token<TokenHasher>('TokenHasher');
const PROJECTS = token<ProjectStore>('ProjectStore');
const RECORDS = token<ConfigRecordStore>('ConfigRecordStore');
const ACTIVITY = token<ActivityLog>('ActivityLog');
const JOBS = token<JobStore>('JobStore');
const LOG_ENTRIES = token<LogEntryStore>('LogEntryStore');
const SECRET_BOX = token<SecretBox>('SecretBox');
const RANDOMNESS = token<Randomness>('Randomness');
const CLOCK = token<Clock>('Clock');
