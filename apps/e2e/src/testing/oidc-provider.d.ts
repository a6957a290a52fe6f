declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** The parts that the tests use. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
