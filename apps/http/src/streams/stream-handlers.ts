import type { streamEndpoints } from '@plugin-config/contract';
import type { FamilyFeed } from '@plugin-config/domain';
import type { Logger } from 'pino';
import type { Handlers } from '../endpoints/handler.ts';
import { familyStreamHandler } from './family-stream-handler.ts';
import { followedFamilies } from './followed-families.ts';
import { logStreamHandler, type LogStreamDependencies } from './log-stream-handler.ts';

interface Dependencies extends LogStreamDependencies {
  readonly feed: FamilyFeed;
  readonly logger: Logger;
}

/** The handlers whose answer is a stream. */
export function streamHandlers(dependencies: Dependencies): Handlers<typeof streamEndpoints> {
  return {
    streamRecords: familyStreamHandler({ followed: followedFamilies(dependencies) }),
    streamLogs: logStreamHandler(dependencies),
  };
}
