import { DomainError, type RuntimeVersion } from '@plugin-config/domain';

/** Returns the version of a family; null if it is too large to be sent to runtimes. */
export async function versionIfSendable(read: () => Promise<RuntimeVersion>): Promise<string | null> {
  try {
    return (await read()).version;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'content_too_large') return null;
    throw error;
  }
}
