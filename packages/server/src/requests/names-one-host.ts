import type { IncomingMessage } from 'node:http';

type Request = Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>;

/** HTTP/1.1 wants one `Host`, HTTP/1.0 at most one. Node keeps the first of several and says nothing. */
export function namesOneHost({ rawHeaders, httpVersion }: Request): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
